/** What is searched through, as a browser loads it when the field is used: at most 60 kB compressed, which a spec measures. */
export interface SearchIndex {
  /** Title and address of each page. */
  pages: [title: string, address: string][];
  /** The parts of all pages: which page, the heading and the anchor; both empty for what stands before the first heading. */
  parts: [page: number, heading: string, anchor: string][];
  /** All words in order, with a blank between each two. A word leaves out what it has in common with the one before: `3s`. */
  words: string;
  /** For each word the parts that hold it, with a comma between each two words: steps to the next part, base 36. */
  places: string;
  /** Words of so many parts that they tell none from the others; they are found in headings only. */
  common: string[];
}

export interface Hit {
  /** The place in `parts`. */
  part: number;
  title: string;
  heading: string;
  /** With the anchor. */
  address: string;
}

/**
 * Finds parts of pages by words or their beginnings: those that hold all words of the query, the best first. Common words
 * are asked for only where the query has no others. It runs in the service and, as its own text, in the browser, so that it
 * can use nothing from outside its braces.
 */
export function searcher({ pages, parts, words, places, common }: SearchIndex): (query: string, max: number) => Hit[] {
  const all: string[] = [];
  for (const packed of words.split(' ')) {
    const kept = parseInt(packed[0]!, 36);
    all.push((all[all.length - 1] ?? '').slice(0, kept) + packed.slice(1));
  }
  const holders = places.split(',');
  const partsOf = (word: number): number[] => {
    let at = -1;
    return holders[word]!.split(' ').map((step) => (at += parseInt(step, 36)));
  };
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

  const headingWords = parts.map(([, heading]) => wordsOf(heading));
  const titleWords = pages.map(([title]) => wordsOf(title));
  /** The first word that does not stand before this one. */
  function firstFrom(asked: string): number {
    let [from, to] = [0, all.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (all[middle]! < asked) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** How well each part answers to one word of the query. */
  function scoresOf(asked: string): Map<number, number> {
    const scores = new Map<number, number>();
    const add = (part: number, word: string, worth: number): void => {
      if (!word.startsWith(asked)) return;
      scores.set(part, Math.max(scores.get(part) ?? 0, word === asked ? worth + 3 : worth));
    };
    for (let index = firstFrom(asked); all[index]?.startsWith(asked); index++)
      for (const part of partsOf(index)) add(part, all[index]!, 1);
    parts.forEach(([page, heading], part) => {
      for (const word of headingWords[part]!) add(part, word, 8);
      for (const word of titleWords[page]!) add(part, word, heading === '' ? 9 : 2);
    });
    return scores;
  }

  return (query, max) => {
    const asked = [...new Set(wordsOf(query))].slice(0, 8);
    const telling = asked.filter((word) => !common.some((each) => each.startsWith(word)));
    const scores = new Map(asked.map((word) => [word, scoresOf(word)]));
    const needed = (telling.length > 0 ? telling : asked).map((word) => scores.get(word)!);
    const total = (part: number): number => asked.reduce((sum, word) => sum + (scores.get(word)!.get(part) ?? 0), 0);
    return [...(needed[0]?.keys() ?? [])]
      .filter((part) => needed.every((each) => each.has(part)))
      .map((part) => [part, total(part)] as const)
      .sort(([a, first], [b, second]) => second - first || a - b)
      .slice(0, max)
      .map(([part]) => {
        const [page, heading, anchor] = parts[part]!;
        const [title, address] = pages[page]!;
        return { part, title, heading, address: anchor === '' ? address : `${address}#${anchor}` };
      });
  };
}
