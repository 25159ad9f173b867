import type { ApiRecord } from '../../shared/transport/schemas';
import type { ApiFailure } from '../../shared/failures/failure';
import type { ItemCall } from '../item';
import type { ItemResult, OrderRequest } from '../orderRequest';
import type { CameWith, Name, Root } from './names';
import { findPaid, openSendings, type Step } from './protocol';
import type { Named } from './texts';

/** One item of the run, ready to be sent. */
export interface OrderItem {
	readonly call: ItemCall;
	readonly request: OrderRequest;
}

/** One order on its way through the protocol. */
export interface Track {
	readonly item: OrderItem;
	readonly name: Name;
	readonly named: Named;
	readonly root: Root | undefined;
	readonly content: string;
	/** The order that the item had when it failed in this node. */
	readonly came: CameWith | undefined;
	step: Step;
	/** `waiting`: it is to be sent when its turn comes. */
	turn: 'none' | 'waiting' | 'begun';
	/** Why it is not sent. */
	refusal: ApiFailure | undefined;
	/** It is within the limits. */
	isAllowed: boolean;
	/** This run has sent it. */
	isSent: boolean;
	/** The withdrawal or payment as the service showed it last. */
	record: ApiRecord | undefined;
	/** What an answer of this run has shown and later ones may not, see `OrderKind.shows`. */
	shows: Readonly<Record<string, string>>;
	/** Why the last request failed. */
	error: Error | undefined;
	/** Why the list shows nothing. */
	unread: string | undefined;
	/** For which people have recorded what the list shows. */
	owners: readonly string[];
	result: Promise<ItemResult> | undefined;
}

/** What is still to be sent, or read. */
export const openOf = (tracks: readonly Track[]): Track[] =>
	tracks.filter(({ refusal }) => refusal === undefined);

/** Whether an earlier run has sent it with effect, or may have. */
export function wasSent(track: Track): boolean {
	return findPaid(track.step.state.rows) !== undefined || mayHaveActed(track);
}

/** Whether an attempt of an earlier run may have taken effect. */
export function mayHaveActed({ step: { state } }: Track): boolean {
	return openSendings(state.rows).some(({ run }) => run !== state.asked.run);
}

/** As people count: items that cannot be read have no track. */
export const rowOf = ({ item }: Track): number => item.call.itemIndex + 1;
