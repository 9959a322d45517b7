import { createHash } from 'node:crypto';
import { parseUrl } from '../../kernel/index.js';
import type { AdTechProvider, ProviderList } from './providers.js';

const COLUMNS = ['provider_id', 'provider_name', 'policy_url', 'domains'];
/** Google's list has some 700 rows. */
export const PROVIDERS_MAX = 20_000;
const ID_MAX = 1_000_000;

/** A text is no list of providers. Names the line. */
export class NoProviderList extends Error {
  override readonly name = 'NoProviderList';
}

/**
 * Reads a list in the form of Google's additional-consent-providers.csv (RFC 4180, with a line of names). Throws
 * NoProviderList, which names the line, if any row is incomplete: half of a list would take consent from the rest.
 */
export function providersOf(text: string, isSynthetic = false): ProviderList {
  const [names, ...rows] = csvRows(text);
  if (names?.join() !== COLUMNS.join()) throw new NoProviderList(`line 1: the columns are not ${COLUMNS.join(', ')}`);
  if (rows.length > PROVIDERS_MAX) throw new NoProviderList(`it has more than ${PROVIDERS_MAX} providers`);
  if (rows.length === 0) throw new NoProviderList('it has no provider');
  const found = rows.map((row, i) => providerOf(row, `line ${i + 2}`)).sort((a, b) => a.id - b.id);
  const providers = new Map(found.map((provider) => [provider.id, provider]));
  if (providers.size < found.length) throw new NoProviderList('two providers have the same id');
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { version, isSynthetic, providers };
}

function providerOf(row: readonly string[], line: string): AdTechProvider {
  const [id = '', name = '', policyUrl = '', domains = ''] = row.map((cell) => cell.trim());
  if (row.length !== COLUMNS.length) throw new NoProviderList(`${line}: it has ${row.length} columns`);
  if (!/^[1-9]\d*$/.test(id) || Number(id) > ID_MAX) throw new NoProviderList(`${line}: "${id.slice(0, 20)}" is no id`);
  if (name === '') throw new NoProviderList(`${line}: it has no name`);
  if (policyUrl !== '' && !/^https?:$/.test(parseUrl(policyUrl)?.protocol ?? ''))
    throw new NoProviderList(`${line}: its policy_url is no address`);
  return { id: Number(id), name, policyUrl, domains: domains.split(/[\s,;|]+/).filter((domain) => domain !== '') };
}

/** Cells of each row that is not empty. A quote within quotes is doubled. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A cell with or without quotes, and its end. The text is read once, so the cost is proportional to its length.
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/gy;
  const source = text.replace(/^\uFEFF/, '');
  while (cell.lastIndex < source.length || row.length > 0) {
    const from = cell.lastIndex;
    const match = cell.exec(source);
    if (!match) throw new NoProviderList(`line ${rows.length + 1}: its quotes do not match`);
    const [, raw = '', end] = match;
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (cell.lastIndex === from || cell.lastIndex >= source.length) break;
  }
  return rows;
}
