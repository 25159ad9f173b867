/** What an API key may be allowed to do (docs/api.md#scopes). `*` allows all of it. */
export type Scope =
	| 'balance:read'
	| 'customers:read'
	| 'customers:write'
	| 'documents:read'
	| 'payments:read'
	| 'payments:refund'
	| 'payments:write'
	| 'products:read'
	| 'products:write'
	| 'withdrawals:read'
	| 'withdrawals:write';

/** What one operation requires; null if the API names none. */
export type NeededScope = Scope | `${Scope} and ${Scope}` | null;
