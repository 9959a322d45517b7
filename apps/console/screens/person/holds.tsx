import { useState } from 'preact/hooks';
import type { components } from '../../api/schema.js';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Button, Chips } from '../../parts/button.js';
import { TextField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { Table } from '../../parts/table.js';
import { day } from '../../words.js';
import { purposeName, today, useDay, useFresh, type Shown } from './person.js';
import { Reasons } from './reasons.js';
import { code, t } from './words.js';

type PurposeState = components['schemas']['PurposeState'];
type Row = PurposeState & { readonly key: string };

export const SAID: Readonly<Record<string, Tone>> = {
  GRANTED: 'yes',
  ACKNOWLEDGED: 'yes',
  DENIED: 'no',
  WITHDRAWN: 'no',
  OBJECTED: 'no',
  PENDING: 'wait',
};

/** Per purpose: what was said, what may be done, and why. */
export function Holds(props: Shown & { readonly onWithdraw: ((purpose: string) => void) | null }) {
  const { place, id, asOf, purposes } = props;
  const state = useResource(() => {
    const query = asOf === null ? { fresh: true } : { asOf };
    return answered(
      api.GET('/admin/v1/sites/{site}/{env}/subjects/{ref}/consent', {
        params: { path: { ...place, ref: id }, query },
      }),
    );
  }, [id, asOf]);
  useFresh(state, props.turn);
  return (
    <Card title={asOf === null ? t('holds') : t('holds.then', { day: day(asOf) })} end={<AsOf />} isFlush>
      <Loaded of={state}>
        {(loaded) => {
          const rows = Object.entries(loaded.purposes).map(([key, each]) => ({ key, ...each }));
          if (rows.length === 0)
            return (
              <Empty icon="text" title={t('holds.none')}>
                {asOf === null ? t('holds.none.why') : t('holds.none.then')}
              </Empty>
            );
          return (
            <Table<Row>
              label={t('holds')}
              rows={rows}
              keyOf={({ key }) => key}
              columns={[
                { title: t('purpose'), cell: ({ key }) => purposeName(purposes, key) },
                {
                  title: t('said'),
                  cell: (row) => <Badge tone={SAID[row.state] ?? 'off'}>{code('said.', row.state)}</Badge>,
                },
                {
                  title: t('allowed'),
                  cell: ({ effective }) => (
                    <Badge tone={effective === 'ALLOWED' ? 'yes' : 'no'}>{code('allowed.', effective)}</Badge>
                  ),
                },
                {
                  title: t('why'),
                  isText: true,
                  cell: (row) => (
                    <>
                      {whyOf(row)}
                      <Reasons {...props} purpose={row.key} />
                      {props.onWithdraw && row.state === 'GRANTED' && (
                        <Button look="quiet" onPress={() => props.onWithdraw!(row.key)}>
                          {t('withdraw')}
                        </Button>
                      )}
                    </>
                  ),
                },
              ]}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}

/** The reason in a sentence. */
function whyOf(row: Row): string {
  const given = row.givenAt === null ? t('undated') : day(row.givenAt);
  const ends = row.expiresAt === null ? '' : day(row.expiresAt);
  const { effectiveReason: reason, effective } = row;
  if (reason === 'EXPLICIT') {
    const said = code('why.EXPLICIT.', row.state).replace('{day}', given);
    return row.state === 'GRANTED' ? `${said} ${ends === '' ? t('why.no-end') : t('why.ends', { day: ends })}` : said;
  }
  if (reason === 'POLICY_DEFAULT') return code('why.POLICY_DEFAULT.', effective);
  return code('why.', reason).replace('{day}', given).replace('{ends}', ends);
}

/** Now, or the end of a day: it changes the whole screen. */
function AsOf() {
  const { day: shown, show } = useDay();
  const [isOpen, setOpen] = useState(shown !== null);
  return (
    <>
      <Chips
        label={t('as-of')}
        options={[
          ['now', t('as-of.now')],
          ['then', t('as-of.day')],
        ]}
        value={isOpen ? 'then' : 'now'}
        onPick={(picked) => {
          setOpen(picked === 'then');
          if (picked === 'now') show(null);
        }}
      />
      {isOpen && (
        <TextField
          name="asOf"
          label={t('as-of.end')}
          type="date"
          max={today()}
          value={shown ?? ''}
          isFirst={shown === null}
          // While a year is being typed, it passes through those of long ago.
          onInput={(picked) => (picked === '' || picked > '1990') && show(picked || null)}
        />
      )}
    </>
  );
}
