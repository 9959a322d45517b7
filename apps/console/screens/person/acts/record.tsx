import { useState } from 'preact/hooks';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import type { components } from '../../../api/schema.js';
import { say } from '../../../frame/said.js';
import { ActDialog, SelectField, TextField } from '../../../parts/form.js';
import { language, languageName } from '../../../words.js';
import { nameOf } from '../identity.js';
import { purposeName, type Purpose } from '../person.js';
import type { ActProps } from './acts.js';
import { t } from './words.js';

type RecordConsent = components['schemas']['RecordConsent'];
type Decision = RecordConsent['decision'];

/** How a decision reached the operator, as records name it. */
const WAYS = {
  phone: { method: 'VERBAL', surface: 'CALL' },
  paper: { method: 'PAPER', surface: 'FORM' },
  signed: { method: 'SIGNATURE', surface: 'FORM' },
  mail: { method: 'OPERATOR', surface: 'API' },
} as const;
type Way = keyof typeof WAYS;
const SPEAKERS = ['SUBJECT', 'GUARDIAN', 'AGENT'] as const;

/** Writes down what a person said by phone, by letter or face to face. */
export function Record(props: ActProps) {
  const { place, id, purposes, wanted, subject, onClose, onChange } = props;
  const asked = [...purposes.values()].filter(({ consentModel }) => consentModel !== 'ALWAYS_ON');
  const [purpose, setPurpose] = useState(wanted.purpose ?? asked[0]?.key ?? '');
  const chosen = purposes.get(purpose);
  const decisions = chosen ? decisionsOn(chosen) : (['WITHDRAWN'] as const);
  const [decision, setDecision] = useState<Decision>(wanted.decision ?? decisions[0]!);
  const [way, setWay] = useState<Way>('phone');
  const [speaker, setSpeaker] = useState<(typeof SPEAKERS)[number]>('SUBJECT');
  const [relationship, setRelationship] = useState('');
  const [locale, setLocale] = useState('');
  const [givenAt, setGivenAt] = useState('');
  const read = locale || languageReadIn(chosen, subject.locale);
  const said = (decisions as readonly Decision[]).includes(decision) ? decision : decisions[0]!;
  const name = purposeName(purposes, purpose);
  const act = useAct(async (once) => {
    const body: RecordConsent = {
      subject: `subject:${id}`,
      purpose,
      decision: said,
      collection: { ...WAYS[way], ...(read && { locale: read }) },
      actor: { type: speaker, ...(speaker !== 'SUBJECT' && relationship !== '' && { relationship }) },
      ...(givenAt !== '' && { givenAt: new Date(givenAt).toISOString() }),
    };
    await answered(api.POST('/admin/v1/sites/{site}/{env}/consent', { ...once, params: { path: place }, body }));
  });
  return (
    <ActDialog
      title={t('record')}
      lead={t('record.lead')}
      submit={t(`record.do.${said}`, { purpose: name })}
      isOpen
      act={act}
      onClose={onClose}
      onDone={() => {
        say(t('record.done'));
        onChange();
      }}
    >
      <SelectField
        name="purpose"
        label={t('purpose')}
        value={purpose}
        options={asked.map(({ key, name: shown }) => [key, shown] as const)}
        onPick={setPurpose}
        problem={act.problem}
      />
      <SelectField
        name="decision"
        label={t('decision')}
        value={said}
        options={decisions.map((each) => [each, t(`decision.${each}`)] as const)}
        onPick={setDecision}
        problem={act.problem}
      />
      <div class="fields">
        <SelectField
          name="collection"
          label={t('way')}
          value={way}
          options={(Object.keys(WAYS) as Way[]).map((each) => [each, t(`way.${each}`)] as const)}
          onPick={setWay}
          problem={act.problem}
        />
        <SelectField
          name="actor.type"
          label={t('speaker')}
          value={speaker}
          options={SPEAKERS.map((each) => [each, t(`speaker.${each}`)] as const)}
          onPick={setSpeaker}
          problem={act.problem}
        />
        {speaker !== 'SUBJECT' && (
          <TextField
            name="actor.relationship"
            label={t('relationship')}
            value={relationship}
            maxLength={64}
            onInput={setRelationship}
            problem={act.problem}
          />
        )}
        {chosen && (
          <SelectField
            name="collection.locale"
            label={t('read-in')}
            value={read}
            options={chosen.availableLocales.map((each) => [each, languageName(each)] as const)}
            onPick={setLocale}
            problem={act.problem}
          />
        )}
        <TextField
          name="givenAt"
          label={t('given-at')}
          hint={t('given-at.hint')}
          type="datetime-local"
          value={givenAt}
          onInput={setGivenAt}
          problem={act.problem}
        />
      </div>
      {chosen && (
        <div class="shown">
          <b>{chosen.name}.</b> {chosen.description}
        </div>
      )}
      <p class="small quiet">{t('record.for', { name: nameOf(subject) })}</p>
    </ActDialog>
  );
}

/** What can be said about a purpose; a withdrawal always. */
function decisionsOn({ consentModel, legalBasis }: Purpose): readonly Decision[] {
  if (consentModel === 'NOTICE_ONLY') return ['ACKNOWLEDGED', 'WITHDRAWN'];
  const objects = consentModel === 'OPT_OUT' || legalBasis === 'LEGITIMATE_INTERESTS';
  return ['GRANTED', 'DENIED', 'WITHDRAWN', ...(objects ? (['OBJECTED'] as const) : [])];
}

/** The language in which the text was most likely read to the person. */
function languageReadIn(purpose: Purpose | undefined, own: string | null): string {
  const there = purpose?.availableLocales ?? [];
  return [own?.slice(0, 2), language.value, there[0]].find((each) => each !== undefined && there.includes(each)) ?? '';
}
