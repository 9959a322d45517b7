import type { ComponentChildren } from 'preact';
import type { Pages, Resource } from '../api/resource.js';
import type { Problem } from '../api/problem.js';
import { frameWords as t } from '../frame/words.js';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';

/** A remark: what follows from what is shown. */
export function Note(props: {
  readonly tone?: 'info' | 'wait' | 'no' | 'yes';
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`note ${props.tone ?? 'info'}`}>
      <Icon name={props.icon ?? (props.tone === undefined || props.tone === 'info' ? 'info' : 'alert')} />
      <div>{props.children}</div>
    </div>
  );
}

/** What stands where nothing is: a sentence why, and what would change it. */
export function Empty(props: {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="state">
      <Icon name={props.icon ?? 'inbox'} />
      <b>{props.title}</b>
      {props.children && <div>{props.children}</div>}
    </div>
  );
}

/** Why something is not shown, and what helps: forbidden, missing, offline, broken, refused. */
export function Trouble(props: { readonly problem: Problem; readonly onAgain?: () => void }) {
  const { problem, onAgain } = props;
  const icons = { forbidden: 'lock', missing: 'search', offline: 'globe', broken: 'alert', refused: 'alert' } as const;
  return (
    <div class="state" role="alert">
      <Icon name={icons[problem.kind]} />
      <b>{t(`trouble.${problem.kind}`)}</b>
      <div>{problem.detail ?? t(`trouble.${problem.kind}.why`)}</div>
      {onAgain && problem.kind !== 'forbidden' && problem.kind !== 'missing' && (
        <Button onPress={onAgain}>{t('again')}</Button>
      )}
    </div>
  );
}

/** Draws the states of a resource; its content only once it is there. */
export function Loaded<T>(props: {
  readonly of: Resource<T>;
  /** What stands in place of an empty list; given with the content it decides by itself. */
  readonly empty?: ComponentChildren;
  readonly children: (data: T) => ComponentChildren;
}) {
  const loaded = props.of.value.value;
  if (loaded.state === 'loading') return <Loading />;
  if (loaded.state === 'failed') return <Trouble problem={loaded.problem} onAgain={() => void props.of.reload()} />;
  if (props.empty && Array.isArray(loaded.data) && loaded.data.length === 0) return <>{props.empty}</>;
  return <>{props.children(loaded.data)}</>;
}

export function Loading() {
  return (
    <div class="state loading" role="status">
      <span class="bars" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span class="unseen">{t('loading')}</span>
    </div>
  );
}

/** The end of a list that has more. */
export function More(props: { readonly of: Pages<unknown> }) {
  if (!props.of.hasMore.value) return null;
  const { value } = props.of.value;
  return (
    <div class="more">
      <Button isBusy={value.state === 'ready' && value.isStale} onPress={() => void props.of.more()}>
        {t('more')}
      </Button>
    </div>
  );
}
