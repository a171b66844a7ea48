ALTER TABLE "holds" ADD COLUMN "ended_on" date;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "bound_until" date;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "billing_month" date;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "billing_date" smallint;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "charges_from" date;