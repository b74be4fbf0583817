// Names as Web of Science, Scopus and PubMed write them (PubMed: the first three letters), with ISO 639-1 codes.
const table = `
af Afrikaans afr;sq Albanian alb;ar Arabic ara;hy Armenian arm;az Azerbaijani aze;eu Basque baq;be Belarusian bel
bn Bengali ben;bs Bosnian bos;bg Bulgarian bul;ca Catalan cat;zh Chinese chi;hr Croatian hrv;cs Czech cze
da Danish dan;nl Dutch dut;en English eng;eo Esperanto epo;et Estonian est;fi Finnish fin;fr French fre
gl Galician glg;ka Georgian geo;de German ger;el Greek gre;he Hebrew heb;hi Hindi hin;hu Hungarian hun
is Icelandic ice;id Indonesian ind;ga Irish gle;it Italian ita;ja Japanese jpn;kk Kazakh kaz;ko Korean kor
la Latin lat;lv Latvian lav;lt Lithuanian lit;mk Macedonian mac;ms Malay may;mt Maltese mlt;mn Mongolian mon
no Norwegian nor;fa Persian per;pl Polish pol;pt Portuguese por;ro Romanian rum;ru Russian rus;sr Serbian srp
sk Slovak slo;sl Slovenian slv;es Spanish spa;sw Swahili swa;sv Swedish swe;tl Tagalog tgl;ta Tamil tam
th Thai tha;tr Turkish tur;uk Ukrainian ukr;ur Urdu urd;uz Uzbek uzb;vi Vietnamese vie;cy Welsh wel`;

const codes = new Map<string, string>();
const names: string[] = [];
for (const row of table.trim().split(/[;\n]/)) {
  const [code = "", name = "", short = ""] = row.trim().split(" ");
  names.push(name.toLowerCase());
  for (const word of [code, name.toLowerCase(), short]) codes.set(word, code);
}

/** The languages that have a name here. */
export const languageNames: readonly string[] = names;

/** The two-letter code of a language's name or tag (`en-US` is `en`); undefined when it is unknown. */
export function languageCode(text: string): string | undefined {
  const word = text.trim().toLowerCase();
  const known = codes.get(word);
  if (known) return known;
  // Any two letters may be a code: a source knows more languages than have a name above.
  return /^[a-z]{2}(?:[-_][a-z0-9]+)*$/.test(word) ? word.slice(0, 2) : undefined;
}
