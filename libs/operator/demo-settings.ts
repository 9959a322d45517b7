/**
 * What is kept in `<data folder>/demo.json`, mode 0600. The keys are worth nothing elsewhere, since the demo site exists in
 * `test` only; the operator token is the installation's own, kept here for the command line on the same machine.
 */
export interface DemoSettings {
  url: string;
  site: string;
  publicKey: string;
  secretKey: string;
  operatorToken: string;
  allowedOrigins: string[];
}
