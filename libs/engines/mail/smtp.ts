import { createTransport } from 'nodemailer';
import {
  faultOf,
  unusable,
  withoutAddresses,
  type Mail,
  type MailAbout,
  type Mailer,
  type MailOutcome,
} from './mail.js';

export interface SmtpOptions {
  /**
   * `smtp://` (STARTTLS where the server offers it, always where there is a password) or `smtps://`, with or without
   * `user:password@`. Certificates are always checked.
   */
  url: string;
  /** PEM of the authorities that are trusted. Default: those of Node, and of NODE_EXTRA_CA_CERTS. */
  ca?: string;
  connectMs?: number;
  /** From the first byte to the answer after the mail. */
  totalMs?: number;
}

/** As nodemailer reports it. */
interface SmtpFailure extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
}

const WORDS: Record<string, string> = {
  ETIMEDOUT: 'timed_out',
  EABORT: 'timed_out',
  ECONNECTION: 'connection_lost',
  ESOCKET: 'connection_failed',
  EDNS: 'host_not_found',
  ETLS: 'tls_failed',
  EAUTH: 'auth_refused',
  ENOAUTH: 'auth_refused',
  EPROTOCOL: 'not_smtp',
};
/** RFC 4954 6 and RFC 3207: the server refuses the session, not the mail. The operator can correct the setting. */
const OF_THE_SESSION: readonly number[] = [454, 530, 534, 535, 538];

/** Sends by SMTP, each mail over a connection of its own. */
export class SmtpMailer implements Mailer {
  private readonly transport;
  private readonly totalMs: number;

  constructor({ url, ca, connectMs = 5_000, totalMs = 20_000 }: SmtpOptions) {
    const { hostname, port, protocol, username, password } = new URL(url);
    const secure = protocol === 'smtps:';
    const auth =
      username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
    this.totalMs = totalMs;
    this.transport = createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (secure ? 465 : 587)),
      secure,
      ...auth,
      // A password never travels in clear.
      requireTLS: !secure && username !== '',
      ...(ca !== undefined && { tls: { ca } }),
      dnsTimeout: connectMs,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: totalMs,
      // Nothing that a mail holds makes us open a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(mail: Mail, _about: MailAbout, signal?: AbortSignal): Promise<MailOutcome> {
    const fault = faultOf(mail);
    if (fault !== null) return unusable(fault);
    const limit = AbortSignal.timeout(this.totalMs);
    try {
      const { response } = (await this.transport.sendMail({
        messageId: mail.messageId,
        from: mail.from,
        to: { name: '', address: mail.to },
        envelope: { from: mail.from.address, to: [mail.to] },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // RFC 3834: keeps absence notes from answering.
        headers: { ...mail.headers, 'Content-Language': mail.language, 'Auto-Submitted': 'auto-generated' },
        xMailer: false,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })) as { response: string };
      return { kind: 'accepted', response: withoutAddresses(response, mail.to) };
    } catch (error) {
      return refusalOf(error as SmtpFailure, mail.to);
    }
  }
}

/** A 5xx about sender, recipient or content is final. After any other failure the mail was not taken: try again. */
function refusalOf({ code = '', responseCode, response = '', message }: SmtpFailure, recipient: string): MailOutcome {
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const final =
    aboutMail && (responseCode === undefined || (responseCode >= 500 && !OF_THE_SESSION.includes(responseCode)));
  const word = WORDS[code] ?? (aboutMail ? 'mail_unusable' : 'failed');
  return {
    kind: final ? 'permanent' : 'transient',
    code: responseCode === undefined || word === 'auth_refused' || word === 'tls_failed' ? word : String(responseCode),
    response: withoutAddresses(response || message, recipient),
  };
}
