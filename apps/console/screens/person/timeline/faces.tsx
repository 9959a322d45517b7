import type { ComponentChildren } from 'preact';
import { at } from '../../../addresses.js';
import type { Tone } from '../../../parts/badge.js';
import type { IconName } from '../../../parts/icon.js';
import { kindName, shortId } from '../../../parts/identifier.js';
import { session } from '../../../session.js';
import { countryName, day, languageName, moment } from '../../../words.js';
import { SAID } from '../holds.js';
import { purposeName, type Shown, type TimelineItem } from '../person.js';
import { code as state } from '../words.js';
import { code, t } from './words.js';

/** How an event looks in the timeline. */
interface Face {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly title: string;
  readonly about: ComponentChildren;
}

const TONE_ICON: Readonly<Record<string, IconName>> = { yes: 'check', no: 'cross', wait: 'clock' };

export function facesOf(item: TimelineItem, shown: Shown): Face {
  const { record, preference, request, merge, identifier, restriction } = item;
  if (record) return ofConsent(item, shown);
  if (preference) {
    const isConfirmation = item.type !== 'preference_set';
    const changes = [...(preference.changes ?? []), ...(preference.fields ?? [])];
    const optOut = preference.globalOptOut && code('opt-out.', preference.globalOptOut.state);
    const what = changes.map(({ field, state: stands }) =>
      stands ? `${plain(field)}: ${state('said.', stands)}` : plain(field),
    );
    return {
      tone: isConfirmation ? 'wait' : 'info',
      icon: 'mail',
      title: titleOf(item),
      about: joined([...what, optOut, ...wayOf(item)]),
    };
  }
  if (request)
    return {
      tone: 'wait',
      icon: 'inbox',
      title: titleOf(item),
      about: (
        <>
          <a href={at(shown.place, 'requests', request.id)}>{state('request.', request.type)}</a>
          {joined(['', request.dueAt && t('due', { day: day(request.dueAt) }), byOf(item)])}
        </>
      ),
    };
  if (merge) {
    const absorbed = merge.absorbed.map(({ id }) => shortId(id)).join(', ');
    const conflicts = merge.conflicts?.length ?? 0;
    return {
      tone: 'info',
      icon: 'fork',
      title: item.type === 'subjects_merged' ? t('event.merged', { who: absorbed }) : titleOf(item),
      about: joined([conflicts > 0 && t('merge.conflicts', { n: conflicts }), merge.reason, byOf(item)]),
    };
  }
  const about = identifier?.kind
    ? `${kindName(identifier.kind)}: ${identifier.value ?? ''}`
    : restriction && joined([restriction.until && t('until', { day: day(restriction.until) }), restriction.reason]);
  return {
    tone: item.type.startsWith('subject_restrict') ? 'wait' : 'off',
    icon: item.type.startsWith('subject_restrict') ? 'lock' : 'person',
    title: titleOf(item),
    about: joined([about, ...fromOf(item)]),
  };
}

function ofConsent(item: TimelineItem, { purposes }: Shown): Face {
  const record = item.record!;
  const tone = SAID[record.state] ?? 'off';
  const purpose = purposeName(purposes, record.purpose);
  const decision = record.decision ?? 'EXPIRED';
  return {
    tone: record.decision ? (SAID[record.decision] ?? tone) : 'wait',
    icon: TONE_ICON[SAID[decision] ?? 'wait'] ?? 'dash',
    title: code('event.', decision).replace('{purpose}', purpose),
    about: joined(wayOf(item)),
  };
}

/** Who spoke, how, where, in which language. */
function wayOf(item: TimelineItem): (string | false | null | undefined)[] {
  const said = item.record ?? item.preference;
  const collection = said?.collection;
  const place = item.record?.jurisdiction;
  return [
    item.actor && code('actor.', item.actor.type),
    item.actor?.relationship,
    collection && code('method.', collection.method),
    collection && code('surface.', collection.surface),
    collection?.locale && languageName(collection.locale),
    place && t('seen-from', { place: place.region ?? countryName(place.country) }),
    item.record?.signals?.gpc === true && t('gpc'),
    said?.provenance?.userAgent,
    ...fromOf(item),
    isLate(item) && t('recorded', { when: moment(item.recordedAt) }),
  ];
}

/** Which of the records that became this person it was, and which operator wrote it down. */
const fromOf = (item: TimelineItem): (string | null)[] => [
  item.mergedFrom && t('merged-from', { id: shortId(item.mergedFrom) }),
  byOf(item),
];

const LATE_MS = 60_000;
const isLate = ({ at: said, recordedAt }: TimelineItem): boolean => Date.parse(recordedAt) - Date.parse(said) > LATE_MS;

/** Operators are named; keys of the site are what is usual. */
function byOf({ by }: TimelineItem): string | null {
  if (!by.startsWith('operator:')) return null;
  const id = by.slice('operator:'.length);
  return id === session.value?.operator.id ? t('by.you') : t('by.operator', { id });
}

const titleOf = (item: TimelineItem): string => {
  const word = code('event.', item.type);
  return word === item.type ? item.title : word;
};

/** `channels.email.topics.product_updates` → `email product updates`. */
const plain = (field: string): string => field.replace(/^channels\.|topics\./g, '').replace(/[._]/g, ' ');

const joined = (parts: readonly (string | false | null | undefined)[]): string =>
  parts.filter((part, i) => typeof part === 'string' && (part !== '' || i === 0)).join(' · ');
