import { Injectable } from '@nestjs/common';
import type { Reference, Scope } from '../../kernel/index.js';
import { Vault } from '../../vault/vault.js';
import type { ReceiptHolders } from '../../receipts/index.js';
import { followToRead } from '../follow.js';
import { SubjectLookup } from '../lookup.js';
import { familyOf, standingOf } from '../standing.js';

/** A person holds the records of their own subject, and of all that were merged into it. */
@Injectable()
export class FamilyReceipts implements ReceiptHolders {
  constructor(
    private readonly vault: Vault,
    private readonly lookup: SubjectLookup,
  ) {}

  async holds(scope: Scope, reference: Reference, subjectId: string): Promise<boolean> {
    const found = await this.vault.find(scope, reference);
    if (!found) return false;
    const { root } = await followToRead(found.subjectId, (id) => this.lookup.stateOf(scope, id));
    return root.subjectId === subjectId || familyOf(standingOf(root.state)).includes(subjectId);
  }
}
