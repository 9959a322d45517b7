/** Where pages demand it (`require-trusted-types-for 'script'`), text becomes a script by the policy `assent` alone. */
interface Policy {
  createScript(text: string): string;
  createScriptURL(address: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy;
}

const same = (text: string): string => text;
const RULES: Policy = { createScript: same, createScriptURL: same };
/** A page takes a name of a policy once. */
const MADE = Symbol.for('assent.policy');

export function trusted(): Policy {
  const page = window as unknown as { [MADE]?: Policy; trustedTypes?: PolicyFactory };
  return (page[MADE] ??= page.trustedTypes?.createPolicy('assent', RULES) ?? RULES);
}
