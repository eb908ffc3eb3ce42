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
