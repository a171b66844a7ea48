export const SALES_TAX_DRAFT = 'sales-tax'
