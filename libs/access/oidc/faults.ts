/** The provider does not answer, or answers what is none of its interface. */
export class ProviderUnavailable extends Error {}
/** The provider answered, and what came back through the browser does not prove who signed in. */
export class SignInNotProven extends Error {}
