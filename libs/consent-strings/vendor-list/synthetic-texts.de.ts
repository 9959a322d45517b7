import type { GvlDataCategory, GvlTexts } from './gvl.js';
import { STACKS, textsOf, type Worded } from './synthetic-texts.js';

const PURPOSES: Worded = [
  [
    'Auf einem Gerät speichern oder lesen',
    'Cookies, Kennungen des Geräts und Ähnliches können dort gespeichert oder gelesen werden.',
  ],
  ['Werbung nach wenigen Daten auswählen', 'Werbung kann sich nach Seite, ungefährem Ort und Art des Geräts richten.'],
  ['Ein Profil für Werbung anlegen', 'Was jemand tut, kann gesammelt werden, um später andere Werbung zu zeigen.'],
  ['Werbung nach einem Profil auswählen', 'Werbung kann sich nach einem Profil richten.'],
  ['Ein Profil für Inhalte anlegen', 'Was jemand tut, kann gesammelt werden, um später andere Inhalte zu zeigen.'],
  ['Inhalte nach einem Profil auswählen', 'Inhalte können sich nach einem Profil richten.'],
  ['Werbung messen', 'Es kann gemessen werden, wie oft Werbung gesehen wurde und was sie bewirkte.'],
  ['Inhalte messen', 'Es kann gemessen werden, wie oft und wie lange Inhalte gesehen wurden.'],
  [
    'Zielgruppen verstehen',
    'Daten aus mehreren Quellen können zu Statistiken über Zielgruppen zusammengeführt werden.',
  ],
  ['Dienste entwickeln', 'Was jemand tut, kann helfen, Produkte zu bauen und zu verbessern.'],
  [
    'Inhalte nach wenigen Daten auswählen',
    'Inhalte können sich nach Seite, ungefährem Ort und Art des Geräts richten.',
  ],
];
const SPECIAL_PURPOSES: Worded = [
  ['Sicherheit, Betrug und Fehler', 'Angriffe und Betrug können erkannt und Fehler gefunden werden.'],
  ['Ausliefern und anzeigen', 'Was ausgewählt wurde, kann an das Gerät gesendet und dort gezeigt werden.'],
  [
    'Entscheidungen speichern und weitergeben',
    'Was jemand zum Datenschutz entschied, kann gespeichert und weitergegeben werden.',
  ],
];
const FEATURES: Worded = [
  ['Daten mehrerer Quellen verbinden', 'Daten von anderswo können mit hier erhobenen zusammengeführt werden.'],
  ['Geräte verknüpfen', 'Mehrere Geräte können als die einer Person oder eines Haushalts erkannt werden.'],
  [
    'Geräte an dem erkennen, was sie senden',
    'Ein Gerät kann an dem, was es von selbst sendet, von anderen unterschieden werden.',
  ],
];
const SPECIAL_FEATURES: Worded = [
  ['Den genauen Ort verwenden', 'Der Ort kann auf weniger als 500 Meter bekannt sein.'],
  ['Das Gerät untersuchen', 'Eigenschaften des Geräts können abgefragt werden, um es zu erkennen.'],
];
const DATA_CATEGORIES: Worded = [
  ['Adressen im Netz', 'Die IP-Adresse und was aus ihr folgt.'],
  ['Eigenschaften des Geräts', 'Etwa Art, System und Größe des Bildschirms.'],
  ['Kennungen des Geräts', 'Etwa die in Cookies.'],
  ['Abgeleitete Kennungen', 'Gebildet aus dem, was ein Gerät von selbst sendet.'],
  ['Kennungen einer Anmeldung', 'Etwa die Nutzernummer einer Website.'],
  ['Was jemand ansah', 'Gesehene Seiten und was dort getan wurde.'],
  ['Was jemand angab', 'Etwa Alter und Geschlecht, von der Person genannt.'],
  ['Der ungefähre Ort', 'Nicht genauer als 500 Meter.'],
  ['Der genaue Ort', 'Auf weniger als 500 Meter.'],
  ['Profile', 'Was über jemanden geschlossen wurde.'],
  ['Entscheidungen zum Datenschutz', 'Was jemand erlaubte und ablehnte.'],
];
const STACK_NAMES = [
  'Genauer Ort und untersuchtes Gerät',
  'Werbung nach wenigen Daten, gemessen',
  'Werbung und Zielgruppen',
  'Alles zu Inhalten',
  'Alles zu Werbung und Inhalten',
];

/** The texts of the synthetic list in German. */
export const SYNTHETIC_TEXTS_DE: GvlTexts = {
  purposes: textsOf(PURPOSES),
  specialPurposes: textsOf(SPECIAL_PURPOSES),
  features: textsOf(FEATURES),
  specialFeatures: textsOf(SPECIAL_FEATURES),
  stacks: Object.fromEntries(
    STACKS.map(([id, , purposes, specialFeatures], i) => {
      const name = STACK_NAMES[i]!;
      return [id, { id, name, description: `Steht für das, woraus es besteht: ${name}.`, purposes, specialFeatures }];
    }),
  ),
  dataCategories: Object.fromEntries(
    DATA_CATEGORIES.map(([name, description], i): [number, GvlDataCategory] => [
      i + 1,
      { id: i + 1, name, description },
    ]),
  ),
};
