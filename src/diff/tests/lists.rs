//! What words of the lists come to when they change, in each language: one word for its opposite is a change of meaning,
//! one for a word that says the same is none.

use super::Revisions;

/// Checks sentences before and after in one language: whether the change is substantive.
fn check(language: &str, pairs: &[(&str, &str)], substantive: bool) {
    for (before, after) in pairs {
        let pad = pad(language);
        let text = |sentence: &str| format!("# T\n\n{pad}\n\n{sentence}\n\n{pad}\n");
        let revisions = Revisions::new(&[("m.md", &text(before))], &[("m.md", &text(after))]);
        let told = revisions.told().join(" ");
        assert_eq!(told.contains("substantive"), substantive, "{language} {before} -> {after}: {told}");
    }
}

/// Text that tells the language, so long that the share of one sentence is small.
fn pad(language: &str) -> &str {
    match language {
        "en" => {
            "The pump and the motor are in the case, and the cables of the control run through the pipe to the machine that you have put up before the first use of it."
        }
        "de" => {
            "Die Pumpe und der Motor sind in dem Gehäuse und werden von der Steuerung bei dem Betrieb der Anlage dauernd überwacht und geprüft, wie es in der Anleitung steht."
        }
        "fr" => {
            "La pompe et le moteur sont dans le boîtier et les câbles de la commande passent par le tube de la machine que vous avez montée, comme le dit la notice."
        }
        "es" => {
            "La bomba y el motor están en la caja y los cables del control pasan por el tubo de la máquina que el operario ha montado, como dice el libro."
        }
        "ja" => "ポンプとモーターはケースの中にあり、制御装置に接続されています。これは機械についての説明です。",
        _ => "泵和电机在机壳中，与控制器连接。这是一个关于机器的说明，说明了机器的结构和连接。",
    }
}

fn matters(language: &str, pairs: &[(&str, &str)]) {
    check(language, pairs, true);
}

fn reads_alike(language: &str, pairs: &[(&str, &str)]) {
    check(language, pairs, false);
}

#[test]
fn numbers_in_words() {
    matters("en", &[("It runs for seventeen turns of the wheel.", "It runs for nineteen turns of the wheel.")]);
    matters(
        "de",
        &[
            ("Die Anlage wird nach dreizehn Tagen geprüft.", "Die Anlage wird nach siebzehn Tagen geprüft."),
            (
                "Die Anlage wird nach siebenundzwanzig Tagen geprüft.",
                "Die Anlage wird nach achtundzwanzig Tagen geprüft.",
            ),
            ("Das Kapital beträgt fünfzigtausend Euro.", "Das Kapital beträgt hunderttausend Euro."),
        ],
    );
    matters(
        "fr",
        &[
            ("Le vendeur rembourse le prix dans treize jours.", "Le vendeur rembourse le prix dans seize jours."),
            ("Le prix vaut quatre-vingt-dix jours de loyer.", "Le prix vaut quatre-vingts jours de loyer."),
        ],
    );
    matters("es", &[("El plazo vence a los trece días.", "El plazo vence a los dieciséis días.")]);
    matters("ja", &[("この装置は三十日ごとに検査する。", "この装置は六十日ごとに検査する。")]);
    matters("zh", &[("设备在三十天后检查。", "设备在六十天后检查。")]);
}

#[test]
fn numbers_in_words_equal_those_in_figures() {
    reads_alike(
        "en",
        &[
            ("The seller takes the goods back within four weeks.", "The seller takes the goods back within 4 weeks."),
            ("The capital of the company is five hundred coins.", "The capital of the company is 500 coins."),
            ("The capital of the company is twenty-five coins.", "The capital of the company is 25 coins."),
        ],
    );
    reads_alike(
        "de",
        &[("Der Antrag ist binnen vier Wochen zu stellen.", "Der Antrag ist binnen 4 Wochen zu stellen.")],
    );
    reads_alike(
        "fr",
        &[("Le prix du bien vaut quatre-vingt-dix euros de loyer.", "Le prix du bien vaut 90 euros de loyer.")],
    );
    reads_alike(
        "es",
        &[("El capital de la sociedad es de quinientos euros.", "El capital de la sociedad es de 500 euros.")],
    );
}

#[test]
fn parties_and_acts() {
    matters(
        "en",
        &[
            ("The buyer bears the costs of it.", "The seller bears the costs of it."),
            ("Employers keep the records of it.", "Employees keep the records of it."),
            ("The time runs from the dispatch of the letter.", "The time runs from the receipt of the letter."),
            ("The form is sent by the office.", "The form is received by the office."),
            ("The controller keeps the data.", "The processor keeps the data."),
            ("The time is ten business days of the bank.", "The time is ten calendar days of the bank."),
            ("The gross weight is shown.", "The net weight is shown."),
            ("This is a requirement for all.", "This is a recommendation for all."),
        ],
    );
    matters(
        "de",
        &[
            ("Der Käufer trägt die Kosten.", "Der Verkäufer trägt die Kosten."),
            ("Die Kosten des Gläubigers trägt die Kasse.", "Die Kosten des Schuldners trägt die Kasse."),
            ("Der Kläger trägt die Kosten.", "Der Beklagte trägt die Kosten."),
            ("Die Frist beginnt mit der Absendung der Ware.", "Die Frist beginnt mit dem Zugang der Ware."),
            ("Die Frist beträgt zehn Werktage ab Zugang.", "Die Frist beträgt zehn Kalendertage ab Zugang."),
            ("Die Frist beträgt zehn Werktage ab Zugang.", "Die Frist beträgt zehn Tage ab Zugang."),
            ("Er hat vorsätzlich gehandelt.", "Er hat fahrlässig gehandelt."),
            ("Es gilt das Recht der obersten Behörde.", "Es gilt das Recht der unteren Behörde."),
            ("Der Vertrag ist nichtig.", "Der Vertrag ist anfechtbar."),
            ("Der Vertrag bedarf der Schriftform.", "Der Vertrag bedarf der Textform."),
        ],
    );
    matters(
        "fr",
        &[
            ("Le créancier paie les frais.", "Le débiteur paie les frais."),
            ("Les bailleurs paient les frais.", "Les locataires paient les frais."),
            ("Le délai est de dix jours ouvrés après la vente.", "Le délai est de dix jours ouvrables après la vente."),
            ("Le délai court de l'acceptation de l'offre.", "Le délai court du refus de l'offre."),
        ],
    );
    matters(
        "es",
        &[
            ("El acreedor paga los gastos.", "El deudor paga los gastos."),
            ("El segundo piso queda en obras.", "El tercer piso queda en obras."),
            ("La caja por debajo de la mesa es roja.", "La caja por encima de la mesa es roja."),
            ("Los arrendadores pagan los gastos.", "Los arrendatarios pagan los gastos."),
            ("El plazo es de diez días hábiles de la entrega.", "El plazo es de diez días naturales de la entrega."),
        ],
    );
}

#[test]
fn machines_programs_and_patients() {
    matters(
        "en",
        &[
            ("The caller frees the memory.", "The callee frees the memory."),
            ("The field holds five bits of it.", "The field holds five bytes of it."),
            ("Messages go by unicast to it.", "Messages go by multicast to it."),
            ("Turn the screw to tighten it.", "Turn the screw to loosen it."),
            ("The coil is energized in this state.", "The coil is de-energized in this state."),
            ("The part is compliant with it.", "The part is non-compliant with it."),
            ("Open the third valve of the line.", "Open the fourth valve of the line."),
            ("The systolic pressure is shown.", "The diastolic pressure is shown."),
            ("Leading spaces are kept there.", "Trailing spaces are kept there."),
            ("The drum turns clockwise there.", "The drum turns counter-clockwise there."),
            ("The value is a string there.", "The value is an integer there."),
            // So alike that one would pass for a slip of the other.
            ("The lamp tells of hypertension.", "The lamp tells of hypotension."),
        ],
    );
    matters("de", &[("Öffnen Sie das dritte Ventil.", "Öffnen Sie das vierte Ventil.")]);
    reads_alike("de", &[("Sie gilt mit dem dritten Ventil.", "Sie gilt mit den dritten Ventilen.")]);
}

#[test]
fn signal_words_levels_and_units_in_words() {
    matters(
        "en",
        &[
            ("Warning: the lid is hot inside.", "Caution: the lid is hot inside."),
            ("It waits for five seconds before a start.", "It waits for five minutes before a start."),
            ("It waits one second before a start.", "It waits one minute before a start."),
            ("The risk of it is low.", "The risk of it is medium."),
            ("The harm is occasional and small.", "The harm is remote and small."),
            ("The harm is marginal to the user.", "The harm is catastrophic to the user."),
        ],
    );
    matters(
        "de",
        &[
            ("Warnung: Der Deckel ist heiß.", "Gefahr: Der Deckel ist heiß."),
            ("Er wartet einige Tage bis zum Start.", "Er wartet einige Wochen bis zum Start."),
        ],
    );
    matters(
        "fr",
        &[
            ("Avertissement : le couvercle est chaud.", "Danger : le couvercle est chaud."),
            ("Le délai court pendant deux ans après la vente.", "Le délai court pendant deux mois après la vente."),
        ],
    );
    matters("es", &[("Advertencia: la tapa está caliente.", "Peligro: la tapa está caliente.")]);
}

#[test]
fn words_that_writers_use_for_one_another() {
    reads_alike(
        "en",
        &[
            ("The serious fault is shown by a lamp.", "The severe fault is shown by a lamp."),
            ("The medium risk is shown by a lamp.", "The moderate risk is shown by a lamp."),
            ("The time is ten business days of the bank.", "The time is ten working days of the bank."),
            ("The buyer bears the cost.", "The purchaser bears the cost."),
            ("The meter is ten kilometres long.", "The meter is ten kilometers long."),
        ],
    );
    reads_alike("de", &[("Die schwere Störung wird angezeigt.", "Die ernste Störung wird angezeigt.")]);
    reads_alike("fr", &[("Le locataire paie les frais.", "Le preneur paie les frais.")]);
    reads_alike("es", &[("Los días laborables cuentan.", "Los días hábiles cuentan.")]);
}

#[test]
fn abbreviations_and_spellings() {
    reads_alike(
        "en",
        &[
            ("See Section 5 of this text.", "See Sec. 5 of this text."),
            ("It's hot and they're cold.", "It is hot and they are cold."),
            ("The part is flammable.", "The part is inflammable."),
            ("The key that is not valid is told.", "The key that is invalid is told."),
            ("It takes 5 per cent of the oil.", "It takes 5 % of the oil."),
        ],
    );
    reads_alike(
        "de",
        &[
            ("Nach Absatz 2 Satz 1 gilt das Gesetz.", "Nach Abs. 2 S. 1 gilt das Gesetz."),
            ("Nach § 5 in Verbindung mit § 6 gilt das Gesetz.", "Nach § 5 i. V. m. § 6 gilt das Gesetz."),
            ("Das gilt beispielsweise für Pumpen.", "Das gilt z. B. für Pumpen."),
            ("Der Antrag ist nicht zulässig.", "Der Antrag ist unzulässig."),
            ("Daß der Fluß läuft, muß man prüfen.", "Dass der Fluss läuft, muss man prüfen."),
            ("Der Bundesminister der Justiz ist zuständig.", "Das Bundesministerium der Justiz ist zuständig."),
            ("Es sind fünf vom Hundert des Wertes.", "Es sind fünf Prozent des Wertes."),
        ],
    );
    reads_alike("fr", &[("Voir p. ex. la pompe.", "Voir par exemple la pompe.")]);
    reads_alike("es", &[("Véase p. ej. la bomba.", "Véase por ejemplo la bomba.")]);
}

#[test]
fn lines_about_the_document() {
    reads_alike("en", &[("Date modified: 2 May 2024", "Date modified: 3 June 2024")]);
    reads_alike(
        "de",
        &[("Stand: Zuletzt geändert durch Art. 3 G v. 2.2.2012", "Stand: Zuletzt geändert durch Art. 4 G v. 2.2.2022")],
    );
    reads_alike(
        "fr",
        &[
            (
                "Modifié par Décret n°2009-1 du 2 mai 2009 - art. 3",
                "Modifié par Décret n°2019-7 du 3 juin 2019 - art. 5",
            ),
            ("Version en vigueur depuis le 2 mai 2009", "Version en vigueur depuis le 3 juin 2019"),
        ],
    );
    reads_alike("es", &[("Modificado por la Ley 3/2009", "Modificado por la Ley 7/2019")]);
    matters("en", &[("The date modified is shown for 2 days.", "The date modified is shown for 3 days.")]);
}

#[test]
fn duties_and_conditions_in_other_words() {
    reads_alike(
        "en",
        &[
            ("The user must open it without delay.", "The user must open it promptly."),
            ("The user may enter the room.", "The user is entitled to enter the room."),
            ("The user may never enter the room.", "The user must never enter the room."),
            ("The user must not enter the room.", "The user must under no circumstances enter the room."),
            ("The user shall enter the room.", "The user is obliged to enter the room."),
            ("It opens when the lamp is on.", "It opens as soon as the lamp is on."),
            ("The rules of Regulation (EC) No 5 apply.", "The rules of Regulation (EC) 5 apply."),
            ("The majority of it is open.", "Most of it is open."),
        ],
    );
    reads_alike(
        "de",
        &[
            ("Der Mieter darf den Raum betreten.", "Der Mieter ist berechtigt, den Raum zu betreten."),
            ("Der Mieter darf den Raum keinesfalls betreten.", "Der Mieter darf den Raum nicht betreten."),
            ("Er muss den Antrag unverzüglich stellen.", "Er muss den Antrag ohne schuldhaftes Zögern stellen."),
            ("Er zahlt bis spätestens 5 Tage danach.", "Er zahlt spätestens 5 Tage danach."),
        ],
    );
    reads_alike(
        "fr",
        &[
            ("Le client ne doit en aucun cas ouvrir la porte.", "Le client ne doit pas ouvrir la porte."),
            ("Le client est autorisé à fumer dans la cour.", "Le client a le droit de fumer dans la cour."),
            ("Le client doit prévenir immédiatement le vendeur.", "Le client doit prévenir sans délai le vendeur."),
        ],
    );
    reads_alike(
        "es",
        &[
            ("El cliente no podrá en ningún caso abrir la puerta.", "El cliente no podrá abrir la puerta."),
            ("El cliente debe avisar inmediatamente al dueño.", "El cliente debe avisar sin demora al dueño."),
            ("El cliente está obligado a pagar la renta.", "El cliente debe pagar la renta."),
        ],
    );
    matters("en", &[("The user may enter the room.", "The user may under no circumstances enter the room.")]);
    matters("de", &[("Die Pumpe wird bei Bedarf geölt.", "Die Pumpe wird immer geölt.")]);
    matters("fr", &[("Le client n'est pas tenu de payer.", "Le client est tenu de payer.")]);
    matters("es", &[("El cliente está obligado a pagar la renta.", "El cliente tiene derecho a pagar la renta.")]);
}

#[test]
fn no_list_hides_a_duty_a_count_or_a_value() {
    matters(
        "en",
        &[
            ("It has exactly one valve.", "It has at most one valve."),
            ("Run `sleep 1 500` there.", "Run `sleep 1500` there."),
            ("Revision date must be shown on it.", "Revision date must not be shown on it."),
            ("Rationale: It leaks, so it must be shut.", "Rationale: It leaks, so it must not be shut."),
            ("The keeper is liable without limitation.", "The keeper is liable."),
            ("You must wait before you open it.", "You wait before you must open it."),
            ("The pump must stop and the valve opens.", "The pump stops and the valve must open."),
            ("If the lamp is on the pump stops.", "The lamp is on if the pump stops."),
        ],
    );
    reads_alike(
        "en",
        &[
            ("It takes no more than one hour there.", "It takes at most 1 hour there."),
            ("When the lamp is on, it opens.", "It opens when the lamp is on."),
        ],
    );
    matters("de", &[("Es hat genau ein Ventil an der Seite.", "Es hat höchstens ein Ventil an der Seite.")]);
    matters("fr", &[("Elle a exactement une vanne ici.", "Elle a au plus une vanne ici.")]);
    matters("es", &[("Tiene exactamente una llave en la caja.", "Tiene como máximo una llave en la caja.")]);
}

#[test]
fn every_language_has_its_signals() {
    for (language, before, after, kind) in [
        ("de", "Das Ventil muss öffnen.", "Das Ventil darf nicht öffnen.", "modality"),
        ("de", "Das Ventil öffnet.", "Das Ventil öffnet nicht.", "negation"),
        ("fr", "La vanne doit ouvrir.", "La vanne peut ouvrir.", "modality"),
        ("es", "La válvula debe abrir.", "La válvula puede abrir.", "modality"),
        ("ja", "弁を開けなければならない。", "弁を開けてはならない。", "modality"),
        ("zh", "阀门必须打开。", "阀门不得打开。", "modality"),
        ("zh", "温度为４５度。", "温度为４６度。", "number"),
    ] {
        let text = |sentence: &str| format!("# T\n\n{}\n\n{sentence}\n\n{}\n", pad(language), pad(language));
        let revisions = Revisions::new(&[("m.md", &text(before))], &[("m.md", &text(after))]);
        let told = revisions.told().join(" ");
        assert!(told.contains("substantive") && told.contains(kind), "{language} {before} -> {after}: {told}");
    }
}

#[test]
fn names_of_states_and_of_things() {
    matters(
        "en",
        &[
            ("The mode goes from IDLE to wait.", "The mode goes from BUSY to wait."),
            ("The pump is in STANDBY until it starts.", "The pump is in RUNNING until it starts."),
            ("The signal is sent to PumpA by the unit.", "The signal is sent to PumpB by the unit."),
            ("The value of rpmMax is read.", "The value of rpmMix is read."),
        ],
    );
    reads_alike(
        "en",
        &[
            ("NOTE: keep the lid shut.", "HINT: keep the lid shut."),
            ("You MUST keep the lid shut.", "You SHALL keep the lid shut."),
            ("The WebSocket is kept open.", "The WebSockets are kept open."),
        ],
    );
}
