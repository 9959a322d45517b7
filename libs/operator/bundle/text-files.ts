import { canonicalJson } from '../../kernel/index.js';
import type { Texts } from '../../subject-archive/index.js';
import type { Members } from './members.js';

/** Where the words of a hash (`sha256:<hex>`) are kept. */
export const textFile = (hash: string): string => `texts/${hash.slice('sha256:'.length)}.json`;

/** Each as a file whose SHA-256 is its name, and a list of what they are. */
export async function writeTexts(texts: Texts, members: Members): Promise<void> {
  const list = await members.open('texts.jsonl');
  for (const hash of texts.all()) {
    const { content, kind, key, version, locale, effectiveFrom, publishedAt } = texts.of(hash);
    await members.put(textFile(hash), canonicalJson(content));
    const line = { hash, file: textFile(hash), kind, key, version, locale, effectiveFrom, publishedAt };
    await list.write(`${JSON.stringify(line)}\n`);
  }
  await members.end(list);
}
