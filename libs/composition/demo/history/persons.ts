/** A made-up person of the demo's history. */
export interface Person {
  email: string;
  userId: string;
  country: 'DE' | 'FR' | 'GB' | 'US';
  locale: 'de' | 'en' | 'fr';
}

const NAMED: Readonly<Record<Person['country'], string>> = {
  DE: 'lena.vogt paul.brandt mia.keller jonas.winter clara.busch felix.roth ida.sommer emil.franke nora.lorenz anton.beck frieda.simon oskar.horn greta.arnold moritz.engel lotte.kraus max.seidel paula.haas theo.ziegler ella.graf',
  FR: 'camille.moreau louis.bernard chloe.petit hugo.laurent ines.garnier jules.rousseau manon.lefevre arthur.mercier alice.chevalier noe.fontaine',
  GB: 'emma.brown oliver.hughes grace.bennett harry.walsh ruby.palmer george.holmes ivy.lawson alfie.marsh poppy.fletcher',
  US: 'noah.garcia olivia.reed liam.torres ava.brooks ethan.price sofia.ramos mason.hayes zoe.bryant lucas.ward maya.foster ryan.cole',
};
const LOCALES = { DE: 'de', FR: 'fr', GB: 'en', US: 'en' } as const;

/** Of whom the guides tell. */
export const ADA: Person = { email: 'ada@demo.example', userId: 'shop-1000', country: 'DE', locale: 'de' };

/** Fifty of them, those of the guides first. All addresses are of domains that are reserved (RFC 2606). */
export const PERSONS: readonly Person[] = [
  ADA,
  ...Object.entries(NAMED)
    .flatMap(([country, names]) => names.split(' ').map((name) => ({ country: country as Person['country'], name })))
    .map(({ country, name }, i) => ({
      email: `${name}@example.org`,
      userId: `shop-${1001 + i}`,
      country,
      locale: LOCALES[country],
    })),
];

export const person = (name: string): Person => PERSONS.find(({ email }) => email.startsWith(`${name}@`))!;
