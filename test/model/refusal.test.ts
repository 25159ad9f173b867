import {
	advance,
	begin,
	PROOF_MS,
	type Event,
	type Row,
} from '../../nodes/BrlPayments/ledger/protocol';

/** In the model, what is read is as it is at that moment. A database may take minutes. */
it('a refusal is as old as the answer, however long it takes to read the ledger again', () => {
	const asked = { run: 'run 1', apiKey: 'a', content: 'c1', body: 'b1' };
	const own: Row = { ...asked, id: 1, status: 'sending', generation: 0, at: 0 };
	const seen: ReadonlyArray<readonly [Event, number]> = [
		[{ saw: 'ledger', rows: [] }, 0],
		[{ saw: 'claimed', own, rows: [own] }, 0],
		[
			{ saw: 'answered', answer: { kind: 'refused', needsNewKey: false }, unansweredAt: undefined },
			1_000,
		],
		[{ saw: 'ledger', rows: [own] }, 1_000 + PROOF_MS],
	];
	const last = seen.reduce(({ state }, [event, now]) => advance(state, event, now), begin(asked));
	expect(last.action).toMatchObject({ do: 'end', record: [{ status: 'refused', at: 1_000 }] });
});
