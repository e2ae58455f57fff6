// @ts-check
// The words of the hall in the languages of the table's page.
const WORDS = {
  en: {
    at_a_table: "At a table", unmet: "{n} pairs have not met: there are too few rounds for all.", came_in: "Tables that have come in", shut_out: "Shut out", is_shut_out: "shut out", shut_out_sure: "Shut out {who} for good? It can only come in anew, with a new invitation, as another table.",
    wall: "Tables", screen: "Big screen", results: "Results", league: "League", tournament: "Tournament", umpire: "Umpire", desk: "Director",
    come_in: "Come in", code: "Code", name: "Your name", how: "Scan the hall's QR code, or type its code.", umpire_name: "Umpires and the director say their name; it stands under what they decide.",
    all_games: "All games", all: "All", playing: "Playing", asking: "Waiting for an umpire", over: "Over", find: "Find a name or a table", none: "No table has joined yet.", no_match: "No table fits the filter.",
    asks: "Umpire, please", won: "{who} wins", shared: "Shared by {who}", draw: "Draw", lost: "Lost", dice: "The table decides", choose: "All choose", no_result: "No game is over yet.",
    player: "Player", points: "Points", wins: "Wins", draws: "Draws", games: "Games", place: "Place", export: "Export as CSV", game: "Game", table: "Table", when: "When", minutes: "min", outcome: "Outcome",
    nobody_asks: "Nobody asks for an umpire.", disputes: "{who} disputes", camera_asks: "The camera asks", referee_says: "The referee says", its_rule: "The rule", your_words: "Your ruling in words", stands: "It stands", falls: "It does not stand", really: "It was really (actions, one a line; empty: it is taken back)", sent: "On its way to the table: {text} ({who})", picture: "Picture: {when}", no_picture: "The picture is not here any more", what_was_it: "What was it?", other: "None of these", settle: "Send",
    role_director: "Director", role_umpire: "Umpire", role_guest: "Guest", role_table: "Table", renew: "New code; the old one is worth nothing", start_table: "At the table",
    tie_buchholz: "Buchholz", tie_sonneborn: "Sonneborn-Berger", tie_wins: "Wins", tie_direct: "Direct", new_tournament: "New tournament", title: "Name", people: "Players, one a line", kind_swiss: "Swiss", kind_round_robin: "Round robin", rounds: "Rounds", begin: "Begin", next_round: "Pair the next round", round: "Round {n}", bye: "free", open: "open", correct: "Result", ties: "Ties", no_tournament: "No tournament yet.", before: "before", after: "after", now: "now", offline: "No connection; shown is the last that came.", page: "{n} of {m}", back: "All tables", last: "What happened last", sealed: "something sealed",
  },
  de: {
    at_a_table: "An einem Tisch", unmet: "{n} Paare sind sich nicht begegnet: Für alle sind es zu wenige Runden.", came_in: "Tische, die hereingekommen sind", shut_out: "Aussperren", is_shut_out: "ausgesperrt", shut_out_sure: "{who} endgültig aussperren? Der Tisch kommt nur mit einer neuen Einladung wieder herein, als ein anderer.",
    wall: "Tische", screen: "Großer Schirm", results: "Ergebnisse", league: "Rangliste", tournament: "Turnier", umpire: "Schiedsrichter", desk: "Leitung",
    come_in: "Eintreten", code: "Code", name: "Dein Name", how: "Scanne den QR-Code der Halle oder tippe ihren Code.", umpire_name: "Schiedsrichter und Leitung nennen ihren Namen; er steht unter dem, was sie entscheiden.",
    all_games: "Alle Spiele", all: "Alle", playing: "Im Spiel", asking: "Warten auf den Schiedsrichter", over: "Beendet", find: "Name oder Tisch", none: "Noch ist kein Tisch da.", no_match: "Kein Tisch passt zum Filter.",
    asks: "Schiedsrichter, bitte", won: "{who} gewinnt", shared: "Geteilt von {who}", draw: "Unentschieden", lost: "Verloren", dice: "Der Tisch entscheidet", choose: "Alle wählen", no_result: "Noch ist kein Spiel beendet.",
    player: "Wer", points: "Punkte", wins: "Siege", draws: "Remis", games: "Spiele", place: "Platz", export: "Als CSV sichern", game: "Spiel", table: "Tisch", when: "Wann", minutes: "min", outcome: "Ausgang",
    nobody_asks: "Niemand ruft einen Schiedsrichter.", disputes: "{who} bestreitet", camera_asks: "Die Kamera fragt", referee_says: "Das Programm sagt", its_rule: "Die Regel", your_words: "Deine Entscheidung in Worten", stands: "Es gilt", falls: "Es gilt nicht", really: "In Wahrheit war es (eine Handlung je Zeile; leer: zurückgenommen)", sent: "Unterwegs zum Tisch: {text} ({who})", picture: "Bild: {when}", no_picture: "Das Bild ist nicht mehr da", what_was_it: "Was war es?", other: "Nichts davon", settle: "Senden",
    role_director: "Leitung", role_umpire: "Schiedsrichter", role_guest: "Gast", role_table: "Tisch", renew: "Neuer Code; der alte gilt nicht mehr", start_table: "Am Tisch",
    tie_buchholz: "Buchholz", tie_sonneborn: "Sonneborn-Berger", tie_wins: "Siege", tie_direct: "Direkt", new_tournament: "Neues Turnier", title: "Name", people: "Teilnehmer, einer je Zeile", kind_swiss: "Schweizer System", kind_round_robin: "Jeder gegen jeden", rounds: "Runden", begin: "Beginnen", next_round: "Nächste Runde auslosen", round: "Runde {n}", bye: "spielfrei", open: "offen", correct: "Ergebnis", ties: "Gleichstand", no_tournament: "Noch kein Turnier.", before: "vorher", after: "nachher", now: "jetzt", offline: "Keine Verbindung; zu sehen ist das Letzte, was kam.", page: "{n} von {m}", back: "Alle Tische", last: "Zuletzt geschehen", sealed: "etwas Verdecktes",
  },
  fr: {
    at_a_table: "À une table", unmet: "{n} paires ne se sont pas rencontrées : il y a trop peu de rondes pour toutes.", came_in: "Tables entrées", shut_out: "Exclure", is_shut_out: "exclue", shut_out_sure: "Exclure {who} pour de bon ? La table ne rentre qu’avec une nouvelle invitation, comme une autre.",
    wall: "Tables", screen: "Grand écran", results: "Résultats", league: "Classement", tournament: "Tournoi", umpire: "Arbitre", desk: "Direction",
    come_in: "Entrer", code: "Code", name: "Ton nom", how: "Scanne le code QR de la salle ou tape son code.", umpire_name: "Arbitres et direction disent leur nom ; il figure sous leurs décisions.",
    all_games: "Tous les jeux", all: "Toutes", playing: "En jeu", asking: "Attendent un arbitre", over: "Terminées", find: "Un nom ou une table", none: "Aucune table pour l’instant.", no_match: "Aucune table ne correspond.",
    asks: "Arbitre, s’il vous plaît", won: "{who} gagne", shared: "Partagé par {who}", draw: "Nulle", lost: "Perdu", dice: "La table décide", choose: "Tous choisissent", no_result: "Aucune partie terminée.",
    player: "Qui", points: "Points", wins: "Gains", draws: "Nulles", games: "Parties", place: "Rang", export: "Exporter en CSV", game: "Jeu", table: "Table", when: "Quand", minutes: "min", outcome: "Issue",
    nobody_asks: "Personne n’appelle d’arbitre.", disputes: "{who} conteste", camera_asks: "La caméra demande", referee_says: "Le programme dit", its_rule: "La règle", your_words: "Ta décision en mots", stands: "C’est valable", falls: "Ce n’est pas valable", really: "C’était en fait (une action par ligne ; vide : reprise)", sent: "En route vers la table : {text} ({who})", picture: "Image : {when}", no_picture: "L’image n’est plus là", what_was_it: "Qu’était-ce ?", other: "Rien de cela", settle: "Envoyer",
    role_director: "Direction", role_umpire: "Arbitre", role_guest: "Public", role_table: "Table", renew: "Nouveau code ; l’ancien ne vaut plus rien", start_table: "À la table",
    tie_buchholz: "Buchholz", tie_sonneborn: "Sonneborn-Berger", tie_wins: "Gains", tie_direct: "Direct", new_tournament: "Nouveau tournoi", title: "Nom", people: "Participants, un par ligne", kind_swiss: "Système suisse", kind_round_robin: "Toutes rondes", rounds: "Rondes", begin: "Commencer", next_round: "Apparier la ronde suivante", round: "Ronde {n}", bye: "exempt", open: "en cours", correct: "Résultat", ties: "Départage", no_tournament: "Aucun tournoi.", before: "avant", after: "après", now: "maintenant", offline: "Pas de connexion ; on voit le dernier état reçu.", page: "{n} sur {m}", back: "Toutes les tables", last: "Derniers événements", sealed: "quelque chose de caché",
  },
};

/** @type {Record<string, string>} */
const words = WORDS[/** @type {keyof typeof WORDS} */ (navigator.language.slice(0, 2))] ?? WORDS.en;
document.documentElement.lang = words === WORDS.en ? "en" : navigator.language.slice(0, 2);

/** @param {string} key @param {Record<string, any>} [gaps] @returns {string} */
export const say = (key, gaps = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => gaps[name] ?? "");
