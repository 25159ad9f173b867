import type { Operation } from '../http/operation';
import { authSelf } from './auth/self';
import { getBalance } from './balance/get';
import { createCustomer } from './customers/create';
import { deleteCustomer } from './customers/delete';
import { getCustomer } from './customers/get';
import { getCustomerByExternalId } from './customers/getByExternalId';
import { updateCustomer } from './customers/update';
import { getReceipt } from './documents/receipt';
import { getStatement } from './documents/statement';
import { getBoleto } from './payments/boleto';
import { createPayment } from './payments/create';
import { getPayment } from './payments/get';
import { getPaymentByTxId } from './payments/getByTxId';
import { listPayments } from './payments/list';
import { refundPayment } from './payments/refund';
import { simulatePayment } from './payments/simulate';
import { createProduct } from './products/create';
import { deleteProduct } from './products/delete';
import { deleteProductImage } from './products/deleteImage';
import { getProductByExternalId } from './products/getByExternalId';
import { listProducts } from './products/list';
import { updateProduct } from './products/update';
import { uploadProductImage } from './products/uploadImage';
import { reactivateEndpoint } from './webhooks/reactivate';
import { createWithdrawal } from './withdrawals/create';
import { getWithdrawal } from './withdrawals/get';
import { getWithdrawalLimits } from './withdrawals/limits';
import { listWithdrawals } from './withdrawals/list';

/** All endpoints of the API. Adding one is a file, a line here and a section in docs/api.md. */
export const OPERATIONS: readonly Operation[] = [
	authSelf,
	listPayments,
	getPaymentByTxId,
	refundPayment,
	getBoleto,
	createPayment,
	getPayment,
	simulatePayment,
	listWithdrawals,
	getWithdrawal,
	getWithdrawalLimits,
	createWithdrawal,
	createProduct,
	listProducts,
	getProductByExternalId,
	deleteProduct,
	uploadProductImage,
	deleteProductImage,
	getCustomer,
	getCustomerByExternalId,
	deleteCustomer,
	getReceipt,
	getStatement,
	getBalance,
	createCustomer,
	updateCustomer,
	updateProduct,
	reactivateEndpoint,
];
