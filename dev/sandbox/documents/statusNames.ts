import type { PaymentStatus } from '../store/types';

/** What customers read for a status. */
export const STATUS_NAMES: Record<PaymentStatus, string> = {
	NEW: 'aguardando pagamento',
	PENDING_METHOD_SELECTION: 'aguardando a forma de pagamento',
	PROCESSING: 'em processamento',
	CONFIRMED: 'confirmado',
	PAID: 'pago',
	CANCELLED: 'cancelado',
	EXPIRED: 'expirado',
	REFUNDED: 'devolvido',
	PARTIAL_REFUND: 'devolvido em parte',
	CHARGEBACK: 'contestado',
	MED_FROZEN: 'bloqueado',
};
