import type { components } from '../../api/schema.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Note } from '../../parts/states.js';
import { Table } from '../../parts/table.js';
import { named, number, percent } from '../../words.js';
import { systemTable, systemWords as t } from './words.js';

type Projection = components['schemas']['ProjectionHealth'];

const TONES: Readonly<Record<string, Tone>> = {
  running: 'yes',
  building: 'info',
  awaiting: 'wait',
  stopped: 'no',
  missing: 'wait',
};

/** What follows the log: those that do not run, or lag, first. */
export function ReadModels({ of }: { readonly of: readonly Projection[] }) {
  const rows = [...of].sort((a, b) => need(b) - need(a));
  return (
    <Card title={t('models')} isFlush>
      <Table
        label={t('models')}
        rows={rows}
        keyOf={({ name, version, rebuild }) => `${name} ${version} ${rebuild}`}
        columns={[
          {
            title: t('model'),
            cell: ({ name, version, live }) => (
              <>
                <code>{name}</code>
                {!live && <span class="small"> {t('model.beside', { n: version })}</span>}
              </>
            ),
          },
          {
            title: t('state'),
            cell: ({ state }) => <Badge tone={TONES[state] ?? 'off'}>{named(t, systemTable, 'state.', state)}</Badge>,
          },
          { title: t('lag'), isText: true, cell: (row) => <Lag of={row} /> },
        ]}
      />
    </Card>
  );
}

const need = ({ state, lagSeconds }: Projection): number =>
  ({ stopped: 4, missing: 3, awaiting: 2, building: 1 })[state] ?? (lagSeconds > 0 ? 0.5 : 0);

function Lag({ of }: { readonly of: Projection }) {
  const { poison, lagSeconds, lagEvents, rate, state } = of;
  if (poison)
    return (
      <span lang="en">
        {poison.type ?? ''} {poison.position}: {poison.error ?? ''}
      </span>
    );
  const [at, head] = [Number(of.position) + 1, Number(of.head) + 1];
  if (state === 'building') {
    const share = head > 0 ? Math.min(1, at / head) : 1;
    const minutes = rate ? Math.ceil((head - at) / rate / 60) : null;
    return (
      <>
        <progress max={1} value={share} aria-label={t('built')} /> {percent(share)}
        {minutes !== null && `, ${t('left', { n: minutes })}`}
      </>
    );
  }
  if (lagSeconds === 0) return <>{t('lag.none')}</>;
  return (
    <>
      {t('lag.seconds', { n: Math.ceil(lagSeconds) })}
      {lagEvents !== null && `, ${t('lag.events', { n: lagEvents })}`}
      {rate !== null && `, ${t('rate', { n: rate })}`}
    </>
  );
}

/** Events that an operator passed over. */
export function LeftOut({ of }: { readonly of: readonly components['schemas']['LeftOut'][] }) {
  return (
    <Card title={t('skipped')} isFlush>
      <div class="pad">
        <Note tone="wait">{t('skipped.why')}</Note>
      </div>
      <ul class="list">
        {of.map(({ projection, position, everywhere, type }) => (
          <li key={projection + position}>
            <div class="t">
              <b>{type ?? t('skipped.unknown')}</b>
              <span>
                {t('skipped.at', { position: number(Number(position)) })},{' '}
                {everywhere ? t('skipped.all') : <code>{projection}</code>}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
