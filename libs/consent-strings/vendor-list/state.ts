import type { Fold, Instant } from '../../kernel/index.js';
import type {
  VendorListEvent,
  VendorListRefusedData,
  VendorListTakenData,
  VendorListTextsTakenData,
} from './events.js';

/** The lists that this installation has used. */
export interface VendorListsState {
  /** Oldest first, so their versions ascend. */
  taken: readonly VendorListTakenData[];
  /** The newest texts of each language. */
  texts: Readonly<Record<string, VendorListTextsTakenData>>;
  /** The last refused list, unless a list was taken since. */
  refused: VendorListRefusedData | null;
}

export const vendorListsFold: Fold<VendorListsState, VendorListEvent> = {
  initial: () => ({ taken: [], texts: {}, refused: null }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'VendorListTaken':
        return { ...state, taken: [...state.taken, event.data], refused: null };
      case 'VendorListRefused':
        return { ...state, refused: event.data };
      case 'VendorListTextsTaken':
        return { ...state, texts: { ...state.texts, [event.data.locale]: event.data } };
    }
  },
};

/** The list that was in use at a time; undefined before the first. */
export const takenAt = ({ taken }: VendorListsState, at: Instant): VendorListTakenData | undefined =>
  taken.findLast((list) => list.takenAt <= at);
