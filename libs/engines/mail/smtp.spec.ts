import net from 'node:net';
import { selfSignedCertificate } from '../../../test/support/certificate.js';
import { startSmtp, type SmtpServer } from '../../../test/support/smtp.js';
import { composeMail } from '../../deliveries/mail/compose.js';
import { listUnsubscribe, messageIdOf, type Mail } from './mail.js';
import { SmtpMailer } from './smtp.js';
import { settlesWithin } from '../../../test/support/timing.js';

const ABOUT = { scope: { site: 'demo', env: 'live' }, subjectId: 'sub_1' } as const;
const MAIL: Mail = {
  messageId: messageIdOf('cft_1', 'shop.example'),
  from: { name: 'Lädchen, GmbH', address: 'no-reply@shop.example' },
  to: 'ada@example.org',
  subject: 'Bitte bestätigen Sie Ihre Anmeldung',
  ...composeMail({
    language: 'de',
    dir: 'ltr',
    heading: 'Fast geschafft',
    paragraphs: ['Größe & Übermut <b>'],
    button: { label: 'Bestätigen', url: `https://shop.example/confirm?token=${'x'.repeat(120)}` },
    footer: ['Lädchen GmbH'],
  }),
  headers: listUnsubscribe(`https://shop.example/unsubscribe?token=${'y'.repeat(120)}`),
  language: 'de',
  dir: 'ltr',
};

const servers: SmtpServer[] = [];
const smtp = async (...args: Parameters<typeof startSmtp>): Promise<SmtpServer> => {
  const server = await startSmtp(...args);
  servers.push(server);
  return server;
};
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

describe('mail by SMTP', () => {
  it('arrives as text and HTML, in its language, with its Message-ID and one-click unsubscribing', async () => {
    const server = await smtp();
    const sent = await new SmtpMailer({ url: server.url }).send(MAIL, ABOUT);
    expect(sent).toEqual({ kind: 'accepted', response: '250 queued as 1' });
    const [{ envelope, email, raw }] = server.received as [SmtpServer['received'][0]];
    expect(envelope).toEqual({ from: 'no-reply@shop.example', to: ['ada@example.org'] });
    expect(email).toMatchObject({
      from: { name: 'Lädchen, GmbH', address: 'no-reply@shop.example' },
      to: [{ address: 'ada@example.org' }],
      subject: MAIL.subject,
      messageId: MAIL.messageId,
    });
    expect(email.cc ?? email.bcc).toBeUndefined();
    expect([email.text, email.html].map((part) => part!.trim())).toEqual(
      [MAIL.text, MAIL.html].map((part) => part.trim()),
    );
    const headers = Object.fromEntries(email.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      'content-language': 'de',
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': MAIL.headers['List-Unsubscribe'],
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'content-type': expect.stringContaining('multipart/alternative'),
      'mime-version': '1.0',
      date: expect.any(String),
    });
    expect(headers).not.toHaveProperty('x-mailer');
    // The text comes first: readers show the last part that they can (RFC 2046 5.1.4).
    expect(raw.indexOf('text/plain')).toBeLessThan(raw.indexOf('text/html'));
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(998);
  });

  it.each([
    ['sender', 450, 'transient'],
    ['recipient', 451, 'transient'],
    ['content', 452, 'transient'],
    ['recipient', 421, 'transient'],
    ['sender', 530, 'transient'],
    ['sender', 553, 'permanent'],
    ['recipient', 550, 'permanent'],
    ['content', 554, 'permanent'],
  ] as const)('refused at the %s with %i is %s, and the answer is kept without the address', async (at, code, kind) => {
    const server = await smtp();
    server.next({
      at,
      code,
      text: `<Ada@Example.org>: user ada at EXAMPLE.org, see postmaster@mx.example; Canada ${'x'.repeat(300)}`,
    });
    const sent = await new SmtpMailer({ url: server.url }).send(MAIL, ABOUT);
    expect(sent).toMatchObject({ kind, code: String(code) });
    expect(sent.response).toContain('user [address] at [address], see [address]; Canada xxx');
    expect(sent.response.length).toBe(200);
    expect(await new SmtpMailer({ url: server.url }).send(MAIL, ABOUT)).toMatchObject({ kind: 'accepted' });
  });

  it('that is cut off after the whole mail was sent may be sent again', async () => {
    const server = await smtp();
    server.next('drop');
    expect(await new SmtpMailer({ url: server.url }).send(MAIL, ABOUT)).toMatchObject({
      kind: 'transient',
      code: 'connection_lost',
    });
    expect(server.received).toHaveLength(1);
  });

  it('waits for a slow server only so long, and hangs up', async () => {
    const server = await smtp();
    server.next('hang');
    const sent = new SmtpMailer({ url: server.url, totalMs: 300 }).send(MAIL, ABOUT);
    expect(await settlesWithin(2_000, sent)).toBe(true);
    expect(await sent).toMatchObject({ kind: 'transient', code: 'timed_out' });
  });

  it('waits neither for a server that never greets nor longer than `totalMs`', async () => {
    const open = new Set<net.Socket>();
    const silent = net.createServer((socket) => void open.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `smtp://127.0.0.1:${(silent.address() as net.AddressInfo).port}`;
    try {
      expect(await new SmtpMailer({ url, connectMs: 200 }).send(MAIL, ABOUT)).toMatchObject({
        kind: 'transient',
        code: 'timed_out',
      });
      expect(await new SmtpMailer({ url }).send(MAIL, ABOUT, AbortSignal.timeout(100))).toMatchObject({
        kind: 'transient',
        code: 'timed_out',
      });
    } finally {
      open.forEach((socket) => socket.destroy());
      silent.close();
    }
  });

  it('without a server waits for one', async () => {
    expect(await new SmtpMailer({ url: 'smtp://127.0.0.1:1' }).send(MAIL, ABOUT)).toMatchObject({
      kind: 'transient',
      code: 'connection_failed',
    });
    expect(
      await new SmtpMailer({ url: 'smtp://no-such-host.invalid', connectMs: 1_000 }).send(MAIL, ABOUT),
    ).toMatchObject({ kind: 'transient' });
  });

  describe('with passwords and TLS', () => {
    const { key, cert } = selfSignedCertificate();
    const withPasswords = { key, cert, disabledCommands: [], authOptional: false };
    const urlWith = (server: SmtpServer, password: string, scheme = 'smtp'): string =>
      `${scheme}://us%40er:${password}@127.0.0.1:${server.port}`;

    it('is sent by STARTTLS to a server whose certificate is trusted', async () => {
      const server = await smtp(withPasswords);
      expect(await new SmtpMailer({ url: urlWith(server, 'right'), ca: cert }).send(MAIL, ABOUT)).toMatchObject({
        kind: 'accepted',
      });
      expect(server.received[0]!.secure).toBe(true);
      expect(server.logins).toEqual(['us@er:right']);
    });

    it('is sent by TLS from the start', async () => {
      const server = await smtp({ ...withPasswords, secure: true });
      expect(
        await new SmtpMailer({ url: urlWith(server, 'right', 'smtps'), ca: cert }).send(MAIL, ABOUT),
      ).toMatchObject({ kind: 'accepted' });
      expect(server.received[0]!.secure).toBe(true);
    });

    it('tries again where the password is wrong: the operator can correct it', async () => {
      const server = await smtp(withPasswords);
      const sent = await new SmtpMailer({ url: urlWith(server, 'wrong'), ca: cert }).send(MAIL, ABOUT);
      expect(sent).toMatchObject({ kind: 'transient', code: 'auth_refused', response: expect.stringContaining('535') });
      expect(server.received).toEqual([]);
    });

    it('never shows the password to a server that it does not know, or in clear', async () => {
      const stranger = await smtp(withPasswords);
      expect(await new SmtpMailer({ url: urlWith(stranger, 'right') }).send(MAIL, ABOUT)).toMatchObject({
        kind: 'transient',
        code: expect.stringMatching(/^(tls_failed|connection_failed)$/),
      });
      const clear = await smtp({ authOptional: false, disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
      expect(await new SmtpMailer({ url: urlWith(clear, 'right'), ca: cert }).send(MAIL, ABOUT)).toMatchObject({
        kind: 'transient',
        code: 'tls_failed',
      });
      expect([...stranger.logins, ...clear.logins]).toEqual([]);
    });

    it('waits where the server wants a password and none is set', async () => {
      const server = await smtp({ authOptional: false, disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
      expect(await new SmtpMailer({ url: server.url }).send(MAIL, ABOUT)).toMatchObject({
        kind: 'transient',
        code: '530',
      });
    });
  });

  it('goes to one person, and holds only what was meant', async () => {
    const server = await smtp();
    const mailer = new SmtpMailer({ url: server.url });
    const injections: Partial<Mail>[] = [
      { subject: 'Hello\r\nBcc: eve@example.net' },
      { subject: 'Hello\nBcc: eve@example.net' },
      { subject: 'Hello\u2028Bcc: eve@example.net' },
      { to: 'ada@example.org, eve@example.net' },
      { to: 'ada@example.org\r\nRCPT TO:<eve@example.net>' },
      { to: 'Ada <ada@example.org>' },
      { to: '"ada eve"@example.org' },
      { to: 'team: a@example.org, b@example.org;' },
      { to: 'ada' },
      { from: { name: 'Shop\r\nBcc: eve@example.net', address: 'no-reply@shop.example' } },
      { from: { name: '', address: 'a@shop.example, b@shop.example' } },
      { headers: { 'List-Unsubscribe': '<https://shop.example>\r\nBcc: eve@example.net' } },
      { headers: { 'X-A\r\nBcc': 'eve@example.net' } },
      { headers: { Bcc: 'eve@example.net' } },
      { headers: { 'content-type': 'text/html' } },
      { messageId: '<a@b>\r\nBcc: eve@example.net' },
      { language: 'de\r\nBcc: eve@example.net' },
    ];
    for (const injection of injections) {
      const sent = await mailer.send({ ...MAIL, ...injection }, ABOUT);
      expect(sent).toMatchObject({ kind: 'permanent', code: 'mail_unusable' });
      expect(sent.response).not.toMatch(/eve|ada/);
    }
    expect(server.received).toEqual([]);
    // In the text a line break is only that.
    await mailer.send({ ...MAIL, text: 'Hello\r\n.\r\nRCPT TO:<eve@example.net>\r\n' }, ABOUT);
    expect(server.received.map(({ envelope }) => envelope.to)).toEqual([['ada@example.org']]);
    expect(server.received[0]!.email.text).toContain('RCPT TO:<eve@example.net>');
  });
});
