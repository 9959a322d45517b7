const $ = (id) => document.getElementById(id);
const post = (path, body = {}) =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

async function start() {
  const { baseUrl, apiKey, person } = await (await fetch('/session')).json();
  const client = new assent.AssentClient({
    baseUrl,
    apiKey,
    // The client calls this for every request, so the token is never too old. Without a login there is no token.
    identityToken: person && (async () => (await fetch('/identity-token')).text()),
  });
  /** The person who is logged in, else the visitor of this browser. */
  let subject = person ?? client.visitor();

  /** Calls `act` with the subject. If the visitor has become a person, it goes on with the new visitor. */
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
    // `fresh`: the login has written to the service a moment ago, by another client than this one.
    const { purposes } = await about((who) => client.getConsentState(who, { purpose: 'analytics', fresh: true }));
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
    // The next user of this browser is another visitor.
    client.newVisitor();
    location.reload();
  };
  await show();
}
start();
