import type { Operation } from '../http/operation';
import { authSelf, getBalance } from './account';
import { deleteCustomer, getCustomer, getCustomerByExternalId } from './customers';
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
	uploadProductImage,
} from './products';
import { createWithdrawal } from './withdrawals/create';
import { getWithdrawal, getWithdrawalLimits, listWithdrawals } from './withdrawals/read';

/** All endpoints of the API. Adding one is an operation, a line here and a section in docs/api.md. */
export const OPERATIONS: readonly Operation[] = [
	...[authSelf, getBalance],
	...[listPayments, getPaymentByTxId, getPayment, getBoleto],
	...[createPayment, refundPayment, simulatePayment],
	...[listWithdrawals, getWithdrawal, getWithdrawalLimits, createWithdrawal],
	...[createProduct, listProducts, getProductByExternalId, deleteProduct],
	...[uploadProductImage, deleteProductImage],
	...[getCustomer, getCustomerByExternalId, deleteCustomer],
	...[getReceipt, getStatement],
];
