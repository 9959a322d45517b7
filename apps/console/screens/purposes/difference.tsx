import { signal } from '@preact/signals';
import type { diffWords } from 'diff/lib/diff/word.js';
import { useEffect } from 'preact/hooks';
import { Badge } from '../../parts/badge.js';
import { readable, type FieldDifference } from './differences.js';
import { words as t } from './words.js';

/** Longest text that is compared word by word, in characters; a longer one is shown before and after. */
const LONGEST = 30_000;

/** Null until its code has come. */
const wordByWord = signal<typeof diffWords | null>(null);

function useWordByWord(): typeof diffWords | null {
  useEffect(() => {
    if (wordByWord.peek() === null)
      void import('diff/lib/diff/word.js').then(
        (library) => (wordByWord.value = library.diffWords),
        // Without it both texts are shown whole.
        () => undefined,
      );
  }, []);
  return wordByWord.value;
}

/** What became of a text: what was added and what was taken out, said to screen readers too. */
export function WordDifference(props: { readonly before: string; readonly after: string }) {
  const { before, after } = props;
  const compare = useWordByWord();
  const isLong = before.length + after.length > LONGEST;
  const whole = [
    { value: before, removed: before !== after, added: false },
    { value: before === after ? '' : after, removed: false, added: true },
  ].filter(({ value }) => value !== '');
  const parts = isLong || !compare ? whole : compare(before, after);
  return (
    <p class="words-diff">
      {parts.map(({ value, added, removed }, n) =>
        added ? (
          <ins key={n}>
            <span class="unseen"> {t('diff.added')} </span>
            {value}
          </ins>
        ) : removed ? (
          <del key={n}>
            <span class="unseen"> {t('diff.removed')} </span>
            {value}
          </del>
        ) : (
          <span key={n}>{value}</span>
        ),
      )}
    </p>
  );
}

const TONES = { ADDED: 'yes', REMOVED: 'no', CHANGED: 'info', MOVED: 'off' } as const;
const ICONS = { ADDED: 'plus', REMOVED: 'dash', CHANGED: 'text', MOVED: 'arrow' } as const;

/** Places of a file that differ, each with its words before and after. */
export function FieldDifferences({ fields }: { readonly fields: readonly FieldDifference[] }) {
  if (fields.length === 0) return <p class="small">{t('diff.none')}</p>;
  return (
    <ul class="field-diffs">
      {fields.map(({ path, change, before, after }) => (
        <li key={path}>
          <Badge tone={TONES[change]} icon={ICONS[change]}>
            {t(`diff.${change}`)}
          </Badge>{' '}
          <code>{path}</code>
          <WordDifference before={readable(before)} after={readable(after)} />
        </li>
      ))}
    </ul>
  );
}
