const $ = (id) => document.getElementById(id);
const post = (path, body = {}) =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

async function start() {
  const { baseUrl, apiKey, person } = await (await fetch('/session')).json();
  const client = new assent.AssentClient({
    baseUrl,
    apiKey,
    // Asked for at every call, so that it is never too old. Nobody is vouched for who is not logged in.
    identityToken: person && (async () => (await fetch('/identity-token')).text()),
  });
  /** The person where somebody is logged in, else the visitor of this browser. */
  let subject = person ?? client.visitor();

  /** Does something about the subject. A visitor who has become a person is somebody new from here on. */
  async function about(act) {
    try {
      return await act(subject);
    } catch (error) {
      if (!(error instanceof assent.VisitorLinkedError)) throw error;
      console.info('the visitor of this browser has logged in elsewhere; beginning a new one');
      subject = error.visitor;
      return act(subject);
    }
  }
  async function show() {
    const { purposes } = await about((who) => client.getConsentState(who, { purpose: 'analytics' }));
    $('who').textContent = person ?? 'a visitor';
    $('state').textContent = purposes.analytics.state;
  }
  async function decide(decision) {
    await about((who) => client.recordConsent({ subject: who, purpose: 'analytics', decision }));
    client.notifyConsentChanged();
  }

  assent.watch(client, show);
  $('accept').onclick = () => decide('GRANTED');
  $('refuse').onclick = () => decide('DENIED');
  $('login').onclick = async () => {
    await post('/login', { user: '42', visitor: client.visitor() });
    location.reload();
  };
  $('logout').onclick = async () => {
    await post('/logout');
    // Whoever comes next is not taken for who has left.
    client.newVisitor();
    location.reload();
  };
  await show();
}
start();
