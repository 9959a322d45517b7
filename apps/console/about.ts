/** What the page of the service says about itself. libs/console/page.ts writes it. */
export interface About {
  /** Path under which the service is published, without a slash at its end. */
  readonly prefix: string;
  readonly signIn: readonly ('token' | 'oidc')[];
  /** Whether this browser may look around in the demo without a token. */
  readonly hasDemo: boolean;
  /** Whether an operator was signed in when the page was sent. */
  readonly isSignedIn: boolean;
}

export const ABOUT = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="assent-console"]')!.content,
) as About;

/** Where the console itself is. */
export const ROOT = `${ABOUT.prefix}/console`;
