import type { CatalogueFilesDto } from '../../../catalogue/dto.js';

/** What of a template the names are taken from. */
interface NamingTemplate {
  channels: readonly { key: string }[];
  sections: readonly { fields: readonly { key: string; channel?: string | null; topic?: string | null }[] }[];
}

/** The names of a published catalogue as declarations for `@assent/client`: a wrong name does not compile. */
export function catalogueTypes({ purposes, template }: CatalogueFilesDto, from: string): string {
  const { channels = [], sections = [] } = (template ?? {}) as Partial<NamingTemplate>;
  const fields = sections.flatMap((section) => section.fields);
  const topics = fields.flatMap(({ topic }) => topic ?? []);
  const names = [
    ['purpose', purposes.map(({ key }) => key)],
    ['field', fields.map(({ key }) => key)],
    ['channel', channels.map(({ key }) => key)],
    ['topic', topics],
  ] as const;
  const members = names.map(([kind, keys]) => `    ${kind}: ${unionOf(keys)};\n`);
  return `// Written by \`assent catalogue types\` from ${from}. Not to be edited.
import '@assent/client';

declare module '@assent/client' {
  interface CatalogueNames {
${members.join('')}  }
}
`;
}

const unionOf = (keys: readonly string[]): string =>
  keys.length === 0
    ? 'never'
    : [...new Set(keys)]
        .sort()
        .map((key) => `'${key}'`)
        .join(' | ');
