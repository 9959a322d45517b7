import type { PortalDoor } from '../../context/portal-door.js';
import type { Caller } from '../../http/caller.js';
import { SigningKeys } from '../signing-keys.js';
import { keysAtHand, verdictOn } from '../verdict.js';
import { GetReceipt } from './get-receipt.handler.js';

/** A receipt, and what anybody who has the key set can say of it. */
export interface ShownReceipt {
  receipt: object;
  jws: string;
  isValid: boolean;
  kid: string | null;
}

/** What the portal asks about receipts. Needs the role that reads. */
export interface PortalReceipts {
  receipt(caller: Caller, receiptId: string): Promise<ShownReceipt>;
}

export const portalReceipts: PortalDoor<PortalReceipts> = ({ queries, modules, calling }) => ({
  receipt: async (caller, receiptId) => {
    const by = calling(caller, 'getReceipt');
    const { receipt, jws } = await queries.execute(new GetReceipt(by, receiptId, undefined, 'assent', null));
    const keys = keysAtHand({ keys: await modules.get(SigningKeys, { strict: false }).published() });
    const { verdict, kid } = verdictOn(JSON.stringify({ receipt, jws }), keys!);
    return { receipt, jws, isValid: verdict === 'VALID', kid };
  },
});
