import { canonicalJson, type Issue } from '../../kernel/index.js';
import { defineDocument } from '../document.js';
import { twice, untranslated, type Say, type Texts } from '../texts/texts.js';
import { unknownPurposes, unknownVendors } from '../vendors/document.js';
import { notCompliant } from './compliance.js';
import { LABEL_OF, LABELS, PRESENTATIONS, type BannerDefinition } from './definition.js';

/** The banner, `banner.yaml`: how the site asks people. */
export const BANNER = defineDocument({
  name: 'banner',
  object: 'banner',
  event: 'BannerPublished',
  title: 'banner',
  contradictions: (definition: BannerDefinition, around) => {
    const found: Issue[] = [];
    const say: Say = (path, message) => void found.push({ path, message });
    const { defaultLocale, presentations, labels, purposeKeys, tcf } = definition;
    for (const name of PRESENTATIONS) {
      const buttons = presentations[name]?.buttons ?? [];
      const at = `presentations.${name}.buttons`;
      twice(
        buttons.map(({ action, layer }, b) => [`${at}[${b}].action`, `${action} ${layer}`] as const),
        say,
      );
      buttons.forEach(({ action }, b) => {
        const label = LABEL_OF[action];
        if (!labels[label]) say(`${at}[${b}].action`, `has no text: labels.${label}`);
      });
      if (buttons.some(({ action, layer }) => action === 'CUSTOMIZE' && layer === 1) && !buttons.some(isSave))
        say(at, 'must hold SAVE on the second layer where CUSTOMIZE leads there');
    }
    if (purposeKeys) unknownPurposes(purposeKeys, 'purposeKeys', around, say);
    if (tcf.vendors) unknownVendors(tcf.vendors, (v) => `tcf.vendors[${v}]`, around, say);
    untranslated(defaultLocale, textsOf(definition), 'banner', say);
    return found;
  },
  forbids: (definition, { at }) => notCompliant(definition, at),
  /** Members, and the three larger ones by part: `presentations.optIn`, `labels.save`. */
  partsOf: ({ presentations, labels, ...members }) => [
    ...Object.entries(members).map(([name, member]) => [name, canonicalJson(member)] as const),
    ...PRESENTATIONS.map((name) => [`presentations.${name}`, canonicalJson(presentations[name])] as const),
    ...Object.entries(labels).map(([name, label]) => [`labels.${name}`, canonicalJson(label)] as const),
  ],
});

const isSave = ({ action, layer }: { action: string; layer: number }): boolean => action === 'SAVE' && layer === 2;

/** Every text by its place. */
export const textsOf = ({ presentations, labels, links }: BannerDefinition): [path: string, text: Texts][] => [
  ...PRESENTATIONS.flatMap((name): [string, Texts][] => {
    const presentation = presentations[name];
    if (!presentation) return [];
    return [
      [`presentations.${name}.title`, presentation.title],
      [`presentations.${name}.body`, presentation.body],
    ];
  }),
  ...LABELS.flatMap((name): [string, Texts][] => (labels[name] ? [[`labels.${name}`, labels[name]]] : [])),
  ...(['privacyPolicy', 'imprint'] as const).flatMap((name): [string, Texts][] =>
    links[name] ? [[`links.${name}`, links[name]]] : [],
  ),
];
