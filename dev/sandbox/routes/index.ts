import type { Operation } from '../http/operation';
import { authSelf, getBalance } from './account';
import {
	createCustomer,
	deleteCustomer,
	getCustomer,
	getCustomerByExternalId,
	updateCustomer,
} from './customers';
import { getReceipt, getStatement } from './documents';
import { createPayment } from './payments/create';
import { getBoleto, getPayment, getPaymentByTxId, listPayments } from './payments/read';
import { refundPayment } from './payments/refund';
import { simulatePayment } from './payments/simulate';
import {
	createProduct,
	deleteProduct,
	deleteProductImage,
	getProductByExternalId,
	listProducts,
	updateProduct,
	uploadProductImage,
} from './products';
import { reactivateEndpoint } from './webhooks';
import { createWithdrawal } from './withdrawals/create';
import { getWithdrawal, getWithdrawalLimits, listWithdrawals } from './withdrawals/read';

/** All endpoints of the API. Adding one is an operation, a line here and a section in docs/api.md. */
export const OPERATIONS: readonly Operation[] = [
	...[authSelf, getBalance],
	...[listPayments, getPaymentByTxId, getPayment, getBoleto],
	...[createPayment, refundPayment, simulatePayment],
	...[listWithdrawals, getWithdrawal, getWithdrawalLimits, createWithdrawal],
	...[createProduct, listProducts, getProductByExternalId, updateProduct, deleteProduct],
	...[uploadProductImage, deleteProductImage],
	...[createCustomer, getCustomer, getCustomerByExternalId, updateCustomer, deleteCustomer],
	...[getReceipt, getStatement],
	reactivateEndpoint,
];
