import { hashOf, type Instant } from '../../kernel/index.js';
import { lookUpLocale } from '../../pages/locale.js';
import type { PublishedTemplate } from './template.js';
import type { TemplateChannel, TemplateDefinition, TemplateField, TemplateOption } from './template-definition.js';

/** Part of every ETag of the preference template; raised like PURPOSE_VIEW_VERSION. */
export const TEMPLATE_VIEW_VERSION = 1;

/** The preference template for one reader: one version in one language. */
export interface TemplateView {
  object: 'preference_template';
  version: number;
  locale: string;
  availableLocales: string[];
  channels: { key: string; label: string; verification: TemplateChannel['verification'] }[];
  sections: { key: string; title: string; fields: TemplateFieldView[] }[];
  /** Hash of exactly this version in exactly this language. A record stores it as proof of what was shown. */
  contentHash: string;
  change: PublishedTemplate['change'] | null;
  effectiveFrom: Instant | null;
  publishedAt: Instant | null;
}

/** The parts of the template that a person sees. */
export type TemplateContent = Pick<TemplateView, 'version' | 'locale' | 'channels' | 'sections'>;

export type TemplateFieldView = Omit<TemplateField, 'label' | 'help' | 'options'> & {
  label: string;
  help: string | null;
  options: { value: string; label: string }[];
};

/** The answer while no template is in force. Its language is undetermined: there is no text. */
const NONE: TemplateView = {
  object: 'preference_template',
  version: 0,
  locale: 'und',
  availableLocales: [],
  channels: [],
  sections: [],
  contentHash: hashOf({ version: 0, locale: 'und', channels: [], sections: [] }),
  change: null,
  effectiveFrom: null,
  publishedAt: null,
};

const views = new WeakMap<PublishedTemplate, Map<string, TemplateView>>();

/**
 * In the first wished language that exists, else the template's default. Made once for each language: a version never
 * changes.
 */
export function templateView(published: PublishedTemplate | undefined, wishes: readonly string[]): TemplateView {
  if (!published) return NONE;
  const availableLocales = templateLocales(published.definition);
  const locale = lookUpLocale(wishes, availableLocales) ?? published.definition.defaultLocale;
  let byLocale = views.get(published);
  if (!byLocale) views.set(published, (byLocale = new Map<string, TemplateView>()));
  let view = byLocale.get(locale);
  if (!view) byLocale.set(locale, (view = inLanguage(published, locale, availableLocales)));
  return view;
}

function inLanguage(published: PublishedTemplate, locale: string, availableLocales: string[]): TemplateView {
  const { change, effectiveFrom, publishedAt } = published;
  const content = templateContent(published, locale);
  return {
    object: 'preference_template',
    ...content,
    availableLocales,
    contentHash: hashOf(content),
    change,
    effectiveFrom,
    publishedAt,
  };
}

/**
 * The content that the hash of a template covers. Like the content of a banner it must never change for a published
 * version.
 */
export function templateContent({ definition, version }: PublishedTemplate, locale: string): TemplateContent {
  const optionIn = ({ value, label }: TemplateOption): { value: string; label: string } => ({
    value,
    label: label[locale]!,
  });
  const fieldIn = (field: TemplateField): TemplateFieldView => ({
    ...field,
    label: field.label[locale]!,
    help: field.help?.[locale] ?? null,
    options: field.options.map(optionIn),
  });
  const channels = definition.channels.map(({ key, label, verification }) => ({
    key,
    label: label[locale]!,
    verification,
  }));
  const sections = definition.sections.map(({ key, title, fields }) => ({
    key,
    title: title[locale]!,
    fields: fields.map(fieldIn),
  }));
  return { version, locale, channels, sections };
}

/** Every text exists in every language, so any text shows the languages. */
export const templateLocales = ({ sections }: TemplateDefinition): string[] => Object.keys(sections[0]!.title).sort();
