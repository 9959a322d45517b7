import { datedThrough } from '../consent/index.js';
import type { MergeConflict, MergeRule } from '../subjects/index.js';
import {
  fieldNamed,
  newestRequests,
  shownState,
  type Field,
  type OptOut,
  type PreferenceChoices,
  type Topic,
} from './topics.js';

/**
 * A total order by time, so that the order of merges makes no difference. A claim without a date counts as of the dated
 * grant beneath it, else as the oldest of all.
 */
const topicOrder = ({
  state,
  givenAt,
  pending,
  recordId,
  undated,
}: Topic): [string, number, string, string, number] => [
  state === 'UNSET' ? (pending?.since ?? givenAt) : datedThrough({ givenAt, undated }),
  state === 'DENIED' ? 1 : 0,
  recordId ?? '',
  pending?.requestId ?? '',
  // One that waits for a mail that was not sent has no request.
  pending ? 1 : 0,
];
const fieldOrder = (field: Field): [string, string] => [field.undated ? '' : field.givenAt, field.recordId];

function isAbove(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  const differing = a.findIndex((member, i) => member !== b[i]);
  return differing >= 0 && a[differing]! > b[differing]!;
}

function isCarried(refusing: boolean, { carryOver }: MergeRule): boolean {
  return (
    carryOver === null ||
    carryOver === 'ALWAYS' ||
    (carryOver === 'IF_DENIED' && refusing) ||
    (carryOver === 'IF_GRANTED' && !refusing)
  );
}

function sourceTopicStands(target: Topic | undefined, source: Topic, rule: MergeRule): boolean {
  if (!isCarried(source.state === 'DENIED', rule)) return false;
  if (!target) return true;
  if (rule.policy === 'TARGET_WINS') return false;
  if (rule.policy === 'MOST_RECENT') return isAbove(topicOrder(source), topicOrder(target));
  // Where one side has no decision, the other's is all there is.
  if (target.state === 'UNSET' || source.state === 'UNSET')
    return target.state === 'UNSET' && (source.state !== 'UNSET' || isAbove(topicOrder(source), topicOrder(target)));
  if (target.state !== source.state) return source.state === 'DENIED';
  return isAbove(topicOrder(source), topicOrder(target));
}

/** What a person typed is no permission: of two values the later stands, unless the target is to win. A visitor's follow only with everything. */
function sourceFieldStands(target: Field | undefined, source: Field, rule: MergeRule): boolean {
  if (rule.carryOver !== null && rule.carryOver !== 'ALWAYS') return false;
  if (!target) return true;
  return rule.policy !== 'TARGET_WINS' && isAbove(fieldOrder(source), fieldOrder(target));
}

/** Two subjects' preferences as one. */
export function mergePreferences<S extends PreferenceChoices>(
  target: S,
  source: PreferenceChoices,
  rule: MergeRule,
): S {
  const topics = { ...target.topics };
  for (const [path, topic] of Object.entries(source.topics))
    if (sourceTopicStands(topics[path], topic, rule)) topics[path] = topic;
  const fields = { ...target.fields };
  for (const [key, field] of Object.entries(source.fields))
    if (sourceFieldStands(fieldNamed(target, key), field, rule)) fields[key] = field;
  return {
    ...target,
    topics,
    fields,
    globalOptOut: mergedOptOut(target.globalOptOut, source.globalOptOut, rule),
    verifiedKinds: [...new Set([...target.verifiedKinds, ...source.verifiedKinds])].sort(),
    // A link that was mailed to either of them still works; that mails were sent still counts.
    requests: newestRequests({ ...source.requests, ...target.requests }),
    mails: { ...source.mails, ...target.mails },
  };
}

function mergedOptOut(
  target: PreferenceChoices['globalOptOut'],
  source: PreferenceChoices['globalOptOut'],
  rule: MergeRule,
): PreferenceChoices['globalOptOut'] {
  if (!source || !isCarried(source.active, rule)) return target;
  if (!target) return source;
  if (rule.policy === 'TARGET_WINS') return target;
  const rank = ({ active, since, undated }: OptOut): (string | number)[] => {
    const dated = datedThrough({ givenAt: since, undated });
    return [...(rule.policy === 'MOST_RECENT' ? [dated, active ? 1 : 0] : [active ? 1 : 0, dated]), since];
  };
  return isAbove(rank(source), rank(target)) ? source : target;
}

/** Every preference on which the two differ, or that a visitor leaves behind. Values of typed fields are never shown. */
export function preferenceConflicts(
  target: { id: string; state: PreferenceChoices },
  source: { id: string; state: PreferenceChoices },
  rule: MergeRule,
): MergeConflict[] {
  const name = rule.carryOver === null ? rule.policy : (`CARRY_OVER_${rule.carryOver}` as const);
  const topics = Object.entries(source.state.topics).flatMap(([field, theirs]): MergeConflict[] => {
    const ours = target.state.topics[field];
    const stands = sourceTopicStands(ours, theirs, rule);
    const value = (id: string, topic: Topic) => ({
      subject: id,
      state: shownState(topic, rule.mergedAt),
      givenAt: topic.givenAt,
    });
    if (ours ? shownState(ours, rule.mergedAt) === shownState(theirs, rule.mergedAt) : stands) return [];
    return [
      {
        field,
        values: [...(ours ? [value(target.id, ours)] : []), value(source.id, theirs)],
        chosen: stands ? source.id : target.id,
        rule: name,
      },
    ];
  });
  const fields = Object.entries(source.state.fields).flatMap(([field, theirs]): MergeConflict[] => {
    const ours = fieldNamed(target.state, field);
    const stands = sourceFieldStands(ours, theirs, rule);
    if (!ours && stands) return [];
    const value = (id: string, { value: said, givenAt }: Field) => ({
      subject: id,
      state: said === null ? 'UNSET' : 'SET',
      givenAt,
    });
    return [
      {
        field,
        values: [...(ours ? [value(target.id, ours)] : []), value(source.id, theirs)],
        chosen: stands ? source.id : target.id,
        rule: name,
      },
    ];
  });
  return [...topics, ...fields];
}
