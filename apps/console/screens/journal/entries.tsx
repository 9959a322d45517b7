import { at } from '../../addresses.js';
import type { components } from '../../api/schema.js';
import { frameWords } from '../../frame/words.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { Fact, Facts } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { may, sites, type Environment } from '../../session.js';
import { named } from '../../words.js';
import { actionText } from './actions.js';
import { journalTable, journalWords as t } from './words.js';

type Entry = components['schemas']['JournalEntry'];

/** What was done, newest first: by whom, to what, where and why. */
export function Entries(props: { readonly rows: readonly Entry[]; readonly onOperator: (id: string) => void }) {
  return (
    <ol class="timeline">
      {props.rows.map((entry) => (
        <li key={entry.id}>
          <span class={`dot ${toneOf(entry.action)}`}>
            <Icon name={iconOf(entry.action)} />
          </span>
          <div class="ev">
            <b>{actionText(entry.action)}</b>
            <Time at={entry.at} />
          </div>
          <p class="ev-sub">
            {entry.operator === null ? (
              t('by.unknown')
            ) : (
              <>
                {t('by')}{' '}
                <button type="button" class="as-link" onClick={() => props.onOperator(entry.operator!.id)}>
                  {entry.operator.name ?? entry.operator.id}
                </button>
              </>
            )}
            {', '}
            {placeText(entry)}
            {entry.target && (
              <>
                {' · '}
                <Target of={entry} />
              </>
            )}
          </p>
          {entry.reason !== null && <p class="ev-sub">{t('reason', { reason: entry.reason })}</p>}
          <More of={entry} />
        </li>
      ))}
    </ol>
  );
}

function placeText({ site, env }: Entry): string {
  if (site === null) return t('installation');
  const name = sites.value.find((each) => each.site === site)?.name ?? site;
  return env === 'test' || env === 'live' ? `${name} (${frameWords(`env.${env}`)})` : name;
}

/** What it was done to; a link where this operator may look at it. */
function Target({ of }: { readonly of: Entry }) {
  const { type, id } = of.target!;
  const kind = named(t, journalTable, 'target.', type);
  if (id === null) return <>{kind}</>;
  const place = of.site !== null && of.env !== null ? { site: of.site, env: of.env as Environment } : null;
  const href =
    place && type === 'SUBJECT' && may('getSiteSubject', place)
      ? at(place, 'people', id)
      : place && type === 'DATA_REQUEST' && may('getSiteDataRequest', place)
        ? at(place, 'requests', id)
        : null;
  return (
    <>
      {kind} {href === null ? <code>{id}</code> : <a href={href}>{id}</a>}
    </>
  );
}

/** All else that the journal knows of an entry. */
function More({ of }: { readonly of: Entry }) {
  const changes = [...membersOf(of.before, 'was'), ...membersOf(of.after, 'is')];
  return (
    <details class="ev-sub">
      <summary>{t('more')}</summary>
      <Facts>
        <Fact term={t('summary')}>
          <span lang="en">{of.summary}</span>
        </Fact>
        {changes.map(({ key, term, text }) => (
          <Fact key={key} term={term}>
            {text}
          </Fact>
        ))}
        {of.session !== null && (
          <Fact term={t('session')}>
            <code>{of.session}</code>
          </Fact>
        )}
        {of.requestId !== null && (
          <Fact term={t('request')}>
            <code>{of.requestId}</code>
          </Fact>
        )}
      </Facts>
    </details>
  );
}

const membersOf = (object: Entry['after'], when: 'was' | 'is') =>
  Object.entries(object ?? {}).map(([name, value]) => ({
    key: when + name,
    term: t(when, { name }),
    text: Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(', ') : textOf(value),
  }));

const textOf = (value: unknown): string =>
  value === null ? t('nothing') : typeof value === 'object' ? JSON.stringify(value) : String(value);

const BY_WORD: readonly (readonly [start: string, icon: IconName])[] = [
  ['subject_read', 'eye'],
  ['subject_shown', 'eye'],
  ['identifiers_revealed', 'eye'],
  ['sign', 'lock'],
  ['sessions', 'lock'],
  ['subject', 'person'],
  ['identifier', 'person'],
  ['data_request', 'inbox'],
  ['webhook', 'hook'],
  ['api_key', 'key'],
  ['operator', 'people'],
  ['site', 'gear'],
  ['projection', 'pulse'],
  ['banner', 'banner'],
  ['audit', 'shield'],
];
const iconOf = (action: string): IconName => BY_WORD.find(([start]) => action.startsWith(start))?.[1] ?? 'text';

const toneOf = (action: string): string =>
  /erased|revoked|refused|deleted|rejected/.test(action) ? 'no' : /read|shown|revealed/.test(action) ? 'info' : 'off';
