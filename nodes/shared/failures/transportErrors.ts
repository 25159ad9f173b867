import type { UnclearCause } from '../transport/outcome';

/**
 * Codes of this package for outcomes without a response of the service itself; docs/errors.md lists
 * them.
 */
export const TRANSPORT_ERRORS: Readonly<
	Record<UnclearCause, { code: string; message: string; description: string }>
> = {
	timeout: {
		code: 'TIMEOUT',
		message: 'The server did not respond in time',
		description: 'Retry this execution, or increase Options > Timeout.',
	},
	unreachable: {
		code: 'UNREACHABLE',
		message: 'The server cannot be reached',
		description: 'Check the Base URL in the credential and the network of this n8n.',
	},
	connectionLost: {
		code: 'CONNECTION_LOST',
		message: 'The connection to the server was lost before the response arrived',
		description: 'Retry this execution.',
	},
	certificate: {
		code: 'CERTIFICATE_REJECTED',
		message: "The server's certificate is not valid",
		description:
			'Check the Base URL in the credential. If it is correct, send nothing and contact support of the service.',
	},
	cancelled: {
		code: 'CANCELLED',
		// n8n shows an execution as stopped rather than failed by the word "canceled".
		message: 'The execution was canceled before the response arrived',
		description:
			'n8n keeps no data of a stopped execution and offers no Retry for it. Send only what did not take effect, in a new one.',
	},
	gateway: {
		code: 'GATEWAY_ERROR',
		message: 'Something in front of the service responded with an error',
		description: 'Retry this execution in a few minutes.',
	},
	malformed: {
		code: 'UNEXPECTED_ANSWER',
		message: 'The server reported success, but its response cannot be read',
		description: 'Check the Base URL in the credential: it may point to a web page.',
	},
	redirect: {
		code: 'REDIRECTED',
		message: 'The server responded with a redirect, which is not followed',
		description: 'Enter the final address as Base URL in the credential.',
	},
};
