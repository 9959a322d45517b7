import { useState } from 'preact/hooks';
import { ABOUT } from '../about.js';
import { outside } from '../addresses.js';
import { answered, api } from '../api/client.js';
import { useAct } from '../api/act.js';
import { Button, LinkButton } from '../parts/button.js';
import { FormTrouble, TextField } from '../parts/form.js';
import { Icon } from '../parts/icon.js';
import { Note } from '../parts/states.js';
import { askWhoIsSignedIn } from '../session.js';
import { LanguageChoice } from './language.js';
import { frameWords as t } from './words.js';

/** The door: by the organisation's identity provider, by a token, or into the demo of this machine. */
export function SignIn({ isOver }: { readonly isOver: boolean }) {
  const [token, setToken] = useState('');
  const byToken = useAct(async () => {
    await answered(api.POST('/admin/v1/session', { body: { token } }));
    await askWhoIsSignedIn();
  });
  const intoDemo = useAct(async () => {
    await answered(api.POST('/admin/v1/session/demo'));
    await askWhoIsSignedIn();
  });
  return (
    <div class="door">
      <main class="card" id="content">
        <div class="brand">
          <Icon name="leaf" />
          {t('brand')}
        </div>
        <h1>{t('sign-in')}</h1>
        <p class="quiet">{t('sign-in.lead')}</p>
        {isOver && <Note tone="wait">{t('sign-in.over')}</Note>}
        {ABOUT.hasDemo && (
          <div class="way">
            <FormTrouble problem={intoDemo.problem} />
            <Button look="main" icon="eye" isBusy={intoDemo.isBusy} onPress={() => void intoDemo.run()}>
              {t('sign-in.demo')}
            </Button>
            <p class="small">{t('sign-in.demo.hint')}</p>
          </div>
        )}
        {ABOUT.signIn.includes('oidc') && (
          <div class="way">
            <LinkButton look={ABOUT.hasDemo ? 'plain' : 'main'} href={outside('/admin/v1/session/oidc')}>
              {t('sign-in.oidc')}
            </LinkButton>
          </div>
        )}
        {(ABOUT.hasDemo || ABOUT.signIn.includes('oidc')) && <p class="or">{t('sign-in.or')}</p>}
        <form
          class="way"
          onSubmit={(event) => {
            event.preventDefault();
            void byToken.run();
          }}
        >
          <FormTrouble problem={byToken.problem} />
          <TextField
            name="token"
            type="password"
            label={t('sign-in.token')}
            hint={t('sign-in.token.hint')}
            value={token}
            onInput={setToken}
            problem={byToken.problem}
            autocomplete="current-password"
            isRequired
          />
          <Button type="submit" isBusy={byToken.isBusy}>
            {t('sign-in')}
          </Button>
        </form>
        <LanguageChoice />
      </main>
    </div>
  );
}
