import { topicPath, type Notice } from '../catalogue/index.js';

/** The words of one text as a person reads them, heading first. */
export interface ShownWords {
  title: string;
  paragraphs: string[];
}

/** What of a text was asked about one thing: a template asks about many. */
export function wordsAbout({ kind, content }: Notice, about: string): ShownWords {
  const of = content as unknown as Record<string, unknown>;
  switch (kind) {
    case 'PURPOSE': {
      const { name, description, legalText } = of['text'] as Record<string, string | null>;
      return { title: name ?? about, paragraphs: [description, legalText].filter(isText) };
    }
    case 'BANNER': {
      const texts = of['texts'] as Record<string, string | null>;
      const labels = (of['buttons'] as { action: string }[])
        .map(({ action }) => texts[camelCase(action)])
        .filter(isText);
      return { title: texts['title'] ?? '', paragraphs: [texts['body'], labels.join(' · ')].filter(isText) };
    }
    case 'PREFERENCE_TEMPLATE': {
      const sections = of['sections'] as { title: string; fields: TemplateFieldShown[] }[];
      const field = sections
        .flatMap(({ fields }) => fields)
        .find((each) => each.key === about || pathOf(each) === about);
      return { title: field?.label ?? about, paragraphs: [field?.help].filter(isText) };
    }
  }
}

interface TemplateFieldShown {
  key: string;
  label: string;
  help: string | null;
  channel?: string | null;
  topic?: string | null;
}

const pathOf = ({ channel, topic }: TemplateFieldShown): string | null =>
  channel && topic ? topicPath(channel, topic) : null;

/** `ACCEPT_ALL` as `acceptAll`: so the label of a button is named. */
const camelCase = (action: string): string =>
  action.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Every text of a notice, for a page that shows all of it. */
export function allWords(notice: Notice): ShownWords[] {
  if (notice.kind !== 'PREFERENCE_TEMPLATE') return [wordsAbout(notice, notice.key ?? '')];
  const sections = (notice.content as unknown as { sections: { title: string; fields: TemplateFieldShown[] }[] })
    .sections;
  return sections.map(({ title, fields }) => ({
    title,
    paragraphs: fields.map(({ label, help }) => (help ? `${label}: ${help}` : label)),
  }));
}

const isText = (value: string | null | undefined): value is string => typeof value === 'string' && value !== '';
