import { useState } from 'preact/hooks';
import type { ScreenProps } from '../../app.js';
import { at } from '../../addresses.js';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Button } from '../../parts/button.js';
import { shortId } from '../../parts/identifier.js';
import { later } from '../../parts/later.js';
import { Menu } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded, Loading, Note } from '../../parts/states.js';
import { may, type OperationId } from '../../session.js';
import { day } from '../../words.js';
import type { Wanted } from './acts/acts.js';
import { Family } from './family.js';
import { Holds } from './holds.js';
import { Identity, nameOf } from './identity.js';
import { Messages } from './messages.js';
import { OpenRequests } from './open-requests.js';
import { endOf, useDay, usePurposes, type Shown, type Subject } from './person.js';
import { Readers } from './readers.js';
import { t } from './words.js';

/** Dialogs of what may be done for a person, loaded when the first is opened. */
const Acts = later(() => import('./acts/acts.js'));
const Timeline = later(() => import('./timeline/timeline.js'), Loading);

/** One person: who it is, what holds and why, what happened, and what may be done. */
export default function Person({ place, id }: ScreenProps) {
  const subject = useResource(
    () => answered(api.GET('/admin/v1/sites/{site}/{env}/subjects/{ref}', { params: { path: { ...place, ref: id } } })),
    [id],
  );
  const loaded = subject.value.value;
  if (loaded.state !== 'ready')
    return (
      <Page title={t('person')} trail={<Trail place={place} id={id} />}>
        <Loaded of={subject}>{() => null}</Loaded>
      </Page>
    );
  if (loaded.data.state === 'ERASED') return <Erased place={place} id={id} />;
  return <Known place={place} known={loaded.data} onChange={() => void subject.reload()} />;
}

function Known(props: {
  readonly place: ScreenProps['place'];
  readonly known: Subject;
  readonly onChange: () => void;
}) {
  const { place, known } = props;
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [revealed, setRevealed] = useState<Subject | null>(null);
  const [turn, setTurn] = useState(0);
  const { day: then, show } = useDay();
  const purposes = usePurposes(place);
  const subject = revealed ?? known;
  const shown: Shown = { place, id: known.id, asOf: then === null ? null : endOf(then), turn, purposes };
  const isLive = then === null && known.state !== 'MERGED';
  const can = (operation: OperationId) => isLive && may(operation, place);
  const open = (act: Wanted['act'], more: Partial<Wanted> = {}) => setWanted({ act, ...more });
  const isHeld = known.state === 'RESTRICTED';
  const others = [
    can('requestSiteConfirmation') && (['confirm', 'mail'] as const),
    can('createSitePortalToken') && (['portal', 'copy'] as const),
    can('mergeSiteSubjects') && (['merge', 'fork'] as const),
    !isHeld && can('restrictSiteSubject') && (['hold', 'lock'] as const),
    isHeld && can('liftSiteRestriction') && (['lift', 'lock'] as const),
    can('eraseSiteSubject') && (['erase', 'alert'] as const),
  ].filter((each) => each !== false);
  return (
    <Page
      title={nameOf(subject)}
      trail={<Trail place={place} id={known.id} />}
      lead={
        known.createdAt &&
        `${t('known-since', { day: day(known.createdAt) })} ${t('identifiers', { n: known.identifiers.length })}`
      }
      acts={
        <>
          {revealed ? (
            <Button icon="eye" onPress={() => setRevealed(null)}>
              {t('mask')}
            </Button>
          ) : (
            can('revealIdentifiers') && (
              <Button icon="eye" onPress={() => open('reveal')}>
                {t('reveal')}
              </Button>
            )
          )}
          {can('recordSiteConsent') && (
            <Button icon="plus" onPress={() => open('record')}>
              {t('record')}
            </Button>
          )}
          {others.length > 0 && (
            <Menu
              label={t('more')}
              options={others.map(([act, icon]) => ({ text: t(`act.${act}`), icon, onPick: () => open(act) }))}
            />
          )}
          {can('openSiteDataRequest') && (
            <Button look="main" onPress={() => open('request')}>
              {t('open-a-request')}
            </Button>
          )}
        </>
      }
    >
      {then !== null && (
        <div class="then">
          <Note tone="wait" icon="clock">
            {t('then', { day: day(endOf(then)) })}{' '}
            <Button look="quiet" onPress={() => show(null)}>
              {t('then.back')}
            </Button>
          </Note>
        </div>
      )}
      {known.mergedInto && (
        <Note tone="wait" icon="fork">
          {t('merged-into')} <a href={at(place, 'people', known.mergedInto)}>{t('merged-into.go')}</a>
        </Note>
      )}
      {isHeld && then === null && (
        <Note tone="wait" icon="lock">
          {t('held')}
        </Note>
      )}
      <div class="grid g-main person">
        <div class="grid">
          {may('getSiteConsentState', place) && (
            <Holds
              {...shown}
              onWithdraw={
                can('recordSiteConsent') ? (purpose) => open('record', { purpose, decision: 'WITHDRAWN' }) : null
              }
            />
          )}
          {may('getSitePreferences', place) && <Messages {...shown} />}
          {may('getSiteTimeline', place) && <Timeline {...shown} />}
        </div>
        <div class="grid">
          <Identity subject={subject} asOf={shown.asOf} />
          {then === null && may('listSiteDataRequests', place) && <OpenRequests {...shown} />}
          {may('getSiteTimeline', place) && (
            <Family {...shown} onRevert={can('revertSiteMerge') ? (merge) => open('revert', { merge }) : null} />
          )}
          {may('listSiteSubjectReads', place) && <Readers {...shown} />}
          <Note>{t('counted')}</Note>
        </div>
      </div>
      {wanted && (
        <Acts
          {...shown}
          wanted={wanted}
          subject={known}
          onReveal={setRevealed}
          onClose={() => setWanted(null)}
          onChange={() => {
            setTurn(turn + 1);
            props.onChange();
          }}
        />
      )}
    </Page>
  );
}

function Trail({ place, id }: ScreenProps) {
  return (
    <>
      <a href={at(place, 'people')}>{t('people')}</a> / {shortId(id)}
    </>
  );
}

function Erased(props: ScreenProps) {
  return (
    <Page title={t('erased')} trail={<Trail {...props} />}>
      <Empty icon="person" title={t('erased.title')}>
        {t('erased.why')}
      </Empty>
    </Page>
  );
}
