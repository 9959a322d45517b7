import type { GvlDataCategory, GvlStack, GvlText, GvlTexts } from './gvl.js';

/** `[name, description]`, from id 1. The numbers mean what IAB TCF gives them; the words are our own. */
export type Worded = readonly (readonly [name: string, description: string])[];

const PURPOSES: Worded = [
  [
    'Keep or read something on a device',
    'Cookies, identifiers of the device and the like can be kept on or read from it.',
  ],
  [
    'Choose advertising by little data',
    'Advertising can follow from the page, the rough place and the kind of device.',
  ],
  ['Build a profile for advertising', 'What a person does can be collected to show other advertising later.'],
  ['Choose advertising by a profile', 'Advertising can follow from a profile.'],
  ['Build a profile for content', 'What a person does can be collected to show other content later.'],
  ['Choose content by a profile', 'Content can follow from a profile.'],
  ['Measure advertising', 'It can be measured how often advertising was seen, and what came of it.'],
  ['Measure content', 'It can be measured how often content was seen, and for how long.'],
  ['Understand audiences', 'Data of different sources can be put together into statistics about audiences.'],
  ['Develop services', 'What a person does can help to build and improve products.'],
  ['Choose content by little data', 'Content can follow from the page, the rough place and the kind of device.'],
];

const SPECIAL_PURPOSES: Worded = [
  ['Safety, fraud and faults', 'Attacks and fraud can be recognised, and faults found.'],
  ['Deliver and show', 'What was chosen can be sent to the device and shown there.'],
  ['Keep and pass on choices', 'What a person chose on privacy can be kept and passed on.'],
];

const FEATURES: Worded = [
  ['Combine data of several sources', 'Data from elsewhere can be put together with what is collected here.'],
  ['Link devices', 'Several devices can be recognised as those of one person or household.'],
  ['Recognise devices by what they send', 'A device can be distinguished from others by what it sends by itself.'],
];

const SPECIAL_FEATURES: Worded = [
  ['Use the exact place', 'The place can be known to less than 500 metres.'],
  ['Examine the device', 'Properties of the device can be asked for in order to recognise it.'],
];

const DATA_CATEGORIES: Worded = [
  ['Addresses on the network', 'The IP address and what follows from it.'],
  ['Properties of the device', 'Such as type, system and size of the screen.'],
  ['Identifiers of the device', 'Such as those in cookies.'],
  ['Derived identifiers', 'Made of what a device sends by itself.'],
  ['Identifiers from a login', 'Such as a user id of the site.'],
  ['What a person browsed', 'Pages that were seen and what was done there.'],
  ['What a person said', 'Such as age and sex, given by the person.'],
  ['The rough place', 'To no less than 500 metres.'],
  ['The exact place', 'To less than 500 metres.'],
  ['Profiles', 'What was concluded about a person.'],
  ['Choices on privacy', 'What a person allowed and refused.'],
];

/** Of a stack: `[id, name, purposes, specialFeatures]`. */
export const STACKS: readonly (readonly [id: number, name: string, purposes: number[], specialFeatures: number[]])[] = [
  [1, 'Exact place and examined device', [], [1, 2]],
  [2, 'Advertising by little data, measured', [2, 7], []],
  [8, 'Advertising and audiences', [2, 7, 9], []],
  [16, 'All about content', [5, 6, 8, 9, 10], []],
  [42, 'All about advertising and content', [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], []],
];

export const SYNTHETIC_TEXTS: GvlTexts = {
  purposes: textsOf(PURPOSES),
  specialPurposes: textsOf(SPECIAL_PURPOSES),
  features: textsOf(FEATURES),
  specialFeatures: textsOf(SPECIAL_FEATURES),
  stacks: Object.fromEntries(
    STACKS.map(([id, name, purposes, specialFeatures]): [number, GvlStack] => [
      id,
      { id, name, description: `Stands for what it is made of: ${name}.`, purposes, specialFeatures },
    ]),
  ),
  dataCategories: Object.fromEntries(
    DATA_CATEGORIES.map(([name, description], i): [number, GvlDataCategory] => [
      i + 1,
      { id: i + 1, name, description },
    ]),
  ),
};

export function textsOf(worded: Worded): Record<string, GvlText> {
  return Object.fromEntries(
    worded.map(([name, description], i) => [i + 1, { id: i + 1, name, description, illustrations: [] }]),
  );
}
