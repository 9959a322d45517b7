/**
 * The content of `<data folder>/demo.json`, mode 0600. Its keys work in no other installation and only in `test`. The
 * operator token is the installation's own, for the command line on the same machine.
 */
export interface DemoSettings {
  url: string;
  site: string;
  publicKey: string;
  secretKey: string;
  operatorToken: string;
  allowedOrigins: string[];
}
