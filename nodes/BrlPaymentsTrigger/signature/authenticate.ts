import type { ICredentialDataDecryptedObject, IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { RequestCoalescer } from '../../shared/concurrency/sharedCalls';
import { getHeader } from './header';
import { readSignatureSettings, type SignatureSettings } from './settings';
import { verify, type Verification } from './verify';

const CREDENTIAL = 'brlPaymentsWebhookApi';

/**
 * This many mismatches are checked against the current credential, and then about one every five
 * seconds: a sender waits as long before it sends a delivery again.
 */
const BURST = 5;
const REFILL_MS = 5_000;

interface Memory {
	/** As last read. Decides that something is forged, never that it is genuine. */
	settings?: SignatureSettings;
	/** The scheme that matched last: the first one to try next time. */
	scheme?: string;
	readonly mismatches: TokenBucket;
}

const memories = new Map<string, Memory>();

/** To read a credential, n8n creates an expression engine: tens of milliseconds of processor time. */
const credentials = new RequestCoalescer<ICredentialDataDecryptedObject>();

export interface Authentication {
	readonly verification: Verification;
	readonly settings: SignatureSettings;
	/** Whether the credential was read for this delivery; if not, it may have been changed since. */
	readonly isCurrent: boolean;
}

/**
 * Verifies a delivery against the credential as it is now. In a flood of forgeries the credential is
 * not read for each of them: what does not match it as it was read seconds ago is refused.
 * @throws InputError when the credential is incomplete; what n8n throws when it cannot read it
 */
export async function authenticate(
	context: IWebhookFunctions,
	headers: IDataObject,
	body: Buffer,
	windowMs: number,
	now: number,
): Promise<Authentication> {
	const name = getName(context);
	const memory = memories.get(name) ?? { mismatches: new TokenBucket(BURST, REFILL_MS) };
	memories.set(name, memory);
	const parts = {
		signature: getHeader(headers, 'X-Webhook-Signature'),
		timestamp: getHeader(headers, 'X-Webhook-Timestamp'),
		body,
	};
	const verifyWith = (settings: SignatureSettings) => {
		const preferred = settings.schemes.find((scheme) => scheme.name === memory.scheme);
		return verify(parts, settings, preferred, now, windowMs);
	};

	// In the editor a person is watching, who may just have corrected the credential.
	const isFlooded = context.getMode() !== 'manual' && memory.mismatches.isEmpty(now);
	if (isFlooded && memory.settings) {
		const { settings } = memory;
		const verification = verifyWith(settings);
		if (verification.result !== 'verified') return { verification, settings, isCurrent: false };
	}
	const credential = await credentials.get(
		name,
		async () => await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL),
	);
	const settings = readSignatureSettings(credential);
	memory.settings = settings;
	const verification = verifyWith(settings);
	if (verification.result === 'verified') memory.scheme = verification.scheme.name;
	else memory.mismatches.take();
	return { verification, settings, isCurrent: true };
}

function getName(context: IWebhookFunctions): string {
	const node = context.getNode();
	const credentialId = node.credentials?.[CREDENTIAL]?.id;
	return [context.getWorkflow().id, node.id, credentialId, context.getMode()].join(':');
}

/** Holds a few tokens, which come back one by one over time. */
export class TokenBucket {
	/** Milliseconds of waiting that are not used up; a token costs `refillMs`. */
	private credit: number;
	private filledAt = 0;

	constructor(
		private readonly capacity: number,
		private readonly refillMs: number,
	) {
		this.credit = capacity * refillMs;
	}

	/** @param now epoch ms */
	isEmpty(now: number): boolean {
		// A clock that was set back must not stop the refill.
		const elapsed = Math.max(0, now - this.filledAt);
		this.credit = Math.min(this.capacity * this.refillMs, this.credit + elapsed);
		this.filledAt = now;
		return this.credit < this.refillMs;
	}

	take(): void {
		this.credit = Math.max(0, this.credit - this.refillMs);
	}
}
