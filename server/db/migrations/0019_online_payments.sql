CREATE TABLE "online_payers" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"guardian_id" uuid,
	"student_id" uuid,
	"customer_id" text,
	"customer_is_live" boolean,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "online_payers_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "online_payers_one_person" CHECK (num_nonnulls("online_payers"."guardian_id", "online_payers"."student_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "online_payers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "online_payment_lines" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"student_id" uuid,
	"pays_for" text NOT NULL,
	"charge_id" uuid,
	"name" text NOT NULL,
	"amount" integer NOT NULL,
	"is_live" boolean DEFAULT true NOT NULL,
	CONSTRAINT "online_payment_lines_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "online_payment_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "online_payments" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"payer_id" uuid,
	"state" text NOT NULL,
	"amount" integer NOT NULL,
	"is_live" boolean NOT NULL,
	"attempt" smallint DEFAULT 1 NOT NULL,
	"checkout_id" text,
	"checkout_url" text,
	"expires_at" timestamp with time zone,
	"intent_id" text,
	"decline_code" text,
	"act_id" uuid,
	"paid_twice" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	"next_check_at" timestamp with time zone NOT NULL,
	CONSTRAINT "online_payments_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "online_payments_paid" CHECK (("online_payments"."state" = 'paid') = ("online_payments"."act_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "online_payments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pay_links" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"payer_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pay_links_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "pay_links_token" UNIQUE("dojo_id","token_hash")
);
--> statement-breakpoint
ALTER TABLE "pay_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "stripe_accounts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"sealed_key" text NOT NULL,
	"key_ending" text NOT NULL,
	"is_live" boolean NOT NULL,
	"is_unrestricted" boolean NOT NULL,
	"state" text NOT NULL,
	"error" text,
	"missing_permissions" text[] DEFAULT '{}' NOT NULL,
	"webhook_id" text,
	"sealed_webhook_secret" text,
	"server_identity" text NOT NULL,
	"checked_at" timestamp with time zone,
	"changed_by" uuid NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stripe_accounts_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "stripe_accounts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "stripe_events" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"object_id" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stripe_events_dojo_id_event_id_pk" PRIMARY KEY("dojo_id","event_id")
);
--> statement-breakpoint
ALTER TABLE "stripe_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "online_payers" ADD CONSTRAINT "online_payers_guardian" FOREIGN KEY ("dojo_id","guardian_id") REFERENCES "public"."guardians"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_payers" ADD CONSTRAINT "online_payers_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_payment_lines" ADD CONSTRAINT "online_payment_lines_payment" FOREIGN KEY ("dojo_id","payment_id") REFERENCES "public"."online_payments"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_payment_lines" ADD CONSTRAINT "online_payment_lines_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE set null ("student_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_payment_lines" ADD CONSTRAINT "online_payment_lines_charge" FOREIGN KEY ("dojo_id","charge_id") REFERENCES "public"."charges"("dojo_id","id") ON DELETE set null ("charge_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "online_payments" ADD CONSTRAINT "online_payments_payer" FOREIGN KEY ("dojo_id","payer_id") REFERENCES "public"."online_payers"("dojo_id","id") ON DELETE set null ("payer_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_links" ADD CONSTRAINT "pay_links_payer" FOREIGN KEY ("dojo_id","payer_id") REFERENCES "public"."online_payers"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "online_payers_of_guardian" ON "online_payers" USING btree ("dojo_id","guardian_id");--> statement-breakpoint
CREATE UNIQUE INDEX "online_payers_of_student" ON "online_payers" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "online_payment_lines_of_payment" ON "online_payment_lines" USING btree ("dojo_id","payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "online_payment_lines_once" ON "online_payment_lines" USING btree ("dojo_id","student_id","pays_for") WHERE is_live;--> statement-breakpoint
CREATE INDEX "online_payments_of_payer" ON "online_payments" USING btree ("dojo_id","payer_id");--> statement-breakpoint
CREATE INDEX "online_payments_by_checkout" ON "online_payments" USING btree ("dojo_id","checkout_id");--> statement-breakpoint
CREATE INDEX "online_payments_by_intent" ON "online_payments" USING btree ("dojo_id","intent_id");--> statement-breakpoint
CREATE INDEX "online_payments_unsettled" ON "online_payments" USING btree ("next_check_at","dojo_id") WHERE state in ('open', 'processing', 'unknown');--> statement-breakpoint
CREATE INDEX "pay_links_of_payer" ON "pay_links" USING btree ("dojo_id","payer_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "online_payers" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "online_payers" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "online_payment_lines" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "online_payment_lines" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "online_payments" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "online_payments" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "pay_links" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "pay_links" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "stripe_accounts" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "stripe_accounts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "stripe_events" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "stripe_events" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);