import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { Button } from '../../parts/button.js';
import { ActDialog, TextField } from '../../parts/form.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { may, type Place } from '../../session.js';
import { keyWords as t } from './words.js';

/** One a line; a comma or a space parts them, too. */
export const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '');

/** Origins of pages whose scripts may call with public keys of the place. */
export function Origins(props: {
  readonly place: Place;
  readonly origins: readonly string[];
  readonly onChange: () => Promise<void>;
}) {
  const { place, origins } = props;
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const change = (lists: { add?: string[]; remove?: string[] }, headers: object) =>
    answered(
      api.POST('/admin/v1/sites/{site}/origins', {
        params: { path: { site: place.site } },
        body: { env: place.env, ...lists },
        ...headers,
      }),
    );
  const adding = useAct((once) => change({ add: linesOf(typed) }, once));
  const removing = useAct((once) => change({ remove: [leaving!] }, once));
  const mayChange = may('changeOrigins', place);
  const done = (sentence: string) => () => {
    setTyped('');
    say(sentence);
    void props.onChange();
  };
  return (
    <Card
      title={t('origins')}
      isFlush
      end={
        mayChange && (
          <Button icon="plus" onPress={() => setAdding(true)}>
            {t('origins.add')}
          </Button>
        )
      }
    >
      {origins.length === 0 ? (
        <Empty icon="globe" title={t('origins.none')}>
          {t('origins.none.why')}
        </Empty>
      ) : (
        <ul class="list">
          {origins.map((origin) => (
            <li key={origin}>
              <Icon name="globe" />
              <code class="t">{origin}</code>
              {mayChange && (
                <Button look="quiet" onPress={() => setLeaving(origin)}>
                  {t('origins.remove')}
                  <span class="unseen"> {origin}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <ActDialog
        title={t('origins.add')}
        lead={<p>{t('origins.add.lead')}</p>}
        submit={t('origins.add.submit')}
        isOpen={isAdding}
        act={adding}
        onClose={() => setAdding(false)}
        onDone={done(t('origins.added'))}
      >
        <TextField
          name="add"
          label={t('origins')}
          hint={t('origins.hint')}
          placeholder="https://www.shop.example"
          value={typed}
          onInput={setTyped}
          rows={3}
          isMono
          isRequired
          problem={adding.problem}
        />
      </ActDialog>
      <ActDialog
        title={t('origins.remove.title', { origin: leaving ?? '' })}
        lead={<p>{t('origins.remove.lead')}</p>}
        submit={t('origins.remove.submit')}
        look="danger"
        isOpen={leaving !== null}
        act={removing}
        onClose={() => setLeaving(null)}
        onDone={done(t('origins.removed'))}
      />
    </Card>
  );
}
