CREATE TABLE "online_disputes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"stripe_id" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"state" text NOT NULL,
	"amount" integer NOT NULL,
	"reason" text NOT NULL,
	"answer_by" timestamp with time zone,
	"opened_at" timestamp with time zone NOT NULL,
	"act_id" uuid,
	CONSTRAINT "online_disputes_dojo_id_stripe_id_pk" PRIMARY KEY("dojo_id","stripe_id")
);
--> statement-breakpoint
ALTER TABLE "online_disputes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "online_refund_lines" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"refund_id" uuid NOT NULL,
	"student_id" uuid,
	"charge_id" uuid,
	"amount" integer NOT NULL,
	CONSTRAINT "online_refund_lines_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "online_refund_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "online_refunds" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"state" text NOT NULL,
	"amount" integer NOT NULL,
	"note" text,
	"stripe_id" text,
	"attempt" smallint DEFAULT 1 NOT NULL,
	"failure_reason" text,
	"act_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "online_refunds_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "online_refunds_stripe_id" UNIQUE("dojo_id","stripe_id")
);
--> statement-breakpoint
ALTER TABLE "online_refunds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "online_payments" ADD COLUMN "fee" integer;--> statement-breakpoint
ALTER TABLE "online_payments" ADD COLUMN "refresh_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "online_payments" ADD COLUMN "review_reason" text;--> statement-breakpoint
ALTER TABLE "stripe_accounts" ADD COLUMN "next_poll_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "stripe_accounts" ADD COLUMN "polled_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "online_disputes" ADD CONSTRAINT "online_disputes_payment" FOREIGN KEY ("dojo_id","payment_id") REFERENCES "public"."online_payments"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_refund_lines" ADD CONSTRAINT "online_refund_lines_refund" FOREIGN KEY ("dojo_id","refund_id") REFERENCES "public"."online_refunds"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_refund_lines" ADD CONSTRAINT "online_refund_lines_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE set null ("student_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_refund_lines" ADD CONSTRAINT "online_refund_lines_charge" FOREIGN KEY ("dojo_id","charge_id") REFERENCES "public"."charges"("dojo_id","id") ON DELETE set null ("charge_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_refunds" ADD CONSTRAINT "online_refunds_payment" FOREIGN KEY ("dojo_id","payment_id") REFERENCES "public"."online_payments"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "online_disputes_of_payment" ON "online_disputes" USING btree ("dojo_id","payment_id");--> statement-breakpoint
CREATE INDEX "online_refund_lines_of_refund" ON "online_refund_lines" USING btree ("dojo_id","refund_id");--> statement-breakpoint
CREATE INDEX "online_refunds_of_payment" ON "online_refunds" USING btree ("dojo_id","payment_id");--> statement-breakpoint
CREATE INDEX "online_payments_to_refresh" ON "online_payments" USING btree ("refresh_at","dojo_id") WHERE refresh_at is not null;--> statement-breakpoint
CREATE INDEX "online_payments_to_review" ON "online_payments" USING btree ("dojo_id") WHERE review_reason is not null;--> statement-breakpoint
CREATE INDEX "online_payments_by_act" ON "online_payments" USING btree ("dojo_id","act_id") WHERE act_id is not null;--> statement-breakpoint
CREATE INDEX "stripe_accounts_to_poll" ON "stripe_accounts" USING btree ("next_poll_at","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "online_disputes" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "online_disputes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "online_refund_lines" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "online_refund_lines" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "online_refunds" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "online_refunds" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);