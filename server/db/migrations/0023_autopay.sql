CREATE TABLE "autopay_agreements" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"payer_id" uuid NOT NULL,
	"wording_version" smallint NOT NULL,
	"language" text NOT NULL,
	"words" text NOT NULL,
	"words_hash" text NOT NULL,
	"covers_new_students" boolean NOT NULL,
	"covers_former_students" boolean NOT NULL,
	"student_ids" uuid[] NOT NULL,
	"day_of_month" smallint NOT NULL,
	"limit_amount" integer,
	"agreed_at" timestamp with time zone NOT NULL,
	"agreed_by" uuid,
	"agreed_way" text NOT NULL,
	"address" text NOT NULL,
	"device" text NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" uuid,
	"ended_way" text,
	"end_reason" text,
	"end_note" text,
	CONSTRAINT "autopay_agreements_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "autopay_agreements_day" CHECK ("autopay_agreements"."day_of_month" between 1 and 31),
	CONSTRAINT "autopay_agreements_end" CHECK (num_nonnulls("autopay_agreements"."ended_at", "autopay_agreements"."ended_way", "autopay_agreements"."end_reason") in (0, 3))
);
--> statement-breakpoint
ALTER TABLE "autopay_agreements" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "autopay_debits" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"agreement_id" uuid NOT NULL,
	"due_on" date NOT NULL,
	"state" text NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"first_tried_on" date,
	"next_try_on" date,
	"decline_code" text,
	"texts" smallint DEFAULT 0 NOT NULL,
	"awaits_text" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "autopay_debits_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "autopay_debits_day" UNIQUE("dojo_id","agreement_id","due_on")
);
--> statement-breakpoint
ALTER TABLE "autopay_debits" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "charge_notices" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"agreement_id" uuid NOT NULL,
	"debit_on" date NOT NULL,
	"amount" integer NOT NULL,
	"pays_for" text[] NOT NULL,
	"reason" text NOT NULL,
	"ways" text[] NOT NULL,
	"sent_on" date NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "charge_notices_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "charge_notices" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "method_setups" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"payer_id" uuid NOT NULL,
	"is_live" boolean NOT NULL,
	"state" text NOT NULL,
	"attempt" smallint DEFAULT 1 NOT NULL,
	"payment_id" uuid,
	"terms" jsonb,
	"checkout_id" text,
	"checkout_url" text,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone NOT NULL,
	CONSTRAINT "method_setups_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "method_setups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "saved_methods" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"payer_id" uuid,
	"customer_id" text NOT NULL,
	"method_id" text NOT NULL,
	"is_live" boolean NOT NULL,
	"kind" text NOT NULL,
	"brand" text,
	"last4" text NOT NULL,
	"exp_month" smallint,
	"exp_year" smallint,
	"fingerprint" text,
	"created_at" timestamp with time zone NOT NULL,
	"stopped_at" timestamp with time zone,
	"stop_reason" text,
	"expiry_told_at" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	CONSTRAINT "saved_methods_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "saved_methods_method" UNIQUE("dojo_id","method_id"),
	CONSTRAINT "saved_methods_stopped" CHECK (("saved_methods"."stopped_at" is null) = ("saved_methods"."stop_reason" is null))
);
--> statement-breakpoint
ALTER TABLE "saved_methods" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "online_payments" ADD COLUMN "advice_code" text;--> statement-breakpoint
ALTER TABLE "online_payments" ADD COLUMN "debit_id" uuid;--> statement-breakpoint
ALTER TABLE "online_payments" ADD COLUMN "saved_method_id" uuid;--> statement-breakpoint
ALTER TABLE "autopay_agreements" ADD CONSTRAINT "autopay_agreements_payer" FOREIGN KEY ("dojo_id","payer_id") REFERENCES "public"."online_payers"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "autopay_debits" ADD CONSTRAINT "autopay_debits_agreement" FOREIGN KEY ("dojo_id","agreement_id") REFERENCES "public"."autopay_agreements"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charge_notices" ADD CONSTRAINT "charge_notices_agreement" FOREIGN KEY ("dojo_id","agreement_id") REFERENCES "public"."autopay_agreements"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "method_setups" ADD CONSTRAINT "method_setups_payer" FOREIGN KEY ("dojo_id","payer_id") REFERENCES "public"."online_payers"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_methods" ADD CONSTRAINT "saved_methods_payer" FOREIGN KEY ("dojo_id","payer_id") REFERENCES "public"."online_payers"("dojo_id","id") ON DELETE set null ("payer_id") ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "autopay_agreements_of_payer" ON "autopay_agreements" USING btree ("dojo_id","payer_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "autopay_agreements_all_of_payer" ON "autopay_agreements" USING btree ("dojo_id","payer_id");--> statement-breakpoint
CREATE INDEX "autopay_debits_open" ON "autopay_debits" USING btree ("dojo_id","next_try_on") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "autopay_debits_texts" ON "autopay_debits" USING btree ("dojo_id") WHERE awaits_text;--> statement-breakpoint
CREATE INDEX "charge_notices_of_agreement" ON "charge_notices" USING btree ("dojo_id","agreement_id","debit_on");--> statement-breakpoint
CREATE UNIQUE INDEX "method_setups_open" ON "method_setups" USING btree ("dojo_id","payer_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "method_setups_all_of_payer" ON "method_setups" USING btree ("dojo_id","payer_id");--> statement-breakpoint
CREATE INDEX "method_setups_by_checkout" ON "method_setups" USING btree ("dojo_id","checkout_id");--> statement-breakpoint
CREATE INDEX "method_setups_by_payment" ON "method_setups" USING btree ("dojo_id","payment_id");--> statement-breakpoint
CREATE INDEX "method_setups_unsettled" ON "method_setups" USING btree ("next_check_at","dojo_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "method_setups_by_age" ON "method_setups" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_methods_of_payer" ON "saved_methods" USING btree ("dojo_id","payer_id") WHERE stopped_at is null;--> statement-breakpoint
CREATE INDEX "saved_methods_all_of_payer" ON "saved_methods" USING btree ("dojo_id","payer_id");--> statement-breakpoint
CREATE INDEX "saved_methods_of_customer" ON "saved_methods" USING btree ("dojo_id","customer_id");--> statement-breakpoint
CREATE INDEX "saved_methods_to_check" ON "saved_methods" USING btree ("next_check_at","dojo_id") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "online_payments_of_debit" ON "online_payments" USING btree ("dojo_id","debit_id") WHERE debit_id is not null;--> statement-breakpoint
CREATE INDEX "online_payments_by_method" ON "online_payments" USING btree ("dojo_id","saved_method_id","created_at") WHERE saved_method_id is not null;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "autopay_agreements" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "autopay_agreements" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "autopay_debits" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "autopay_debits" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "charge_notices" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "charge_notices" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "method_setups" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "method_setups" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "saved_methods" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "saved_methods" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- What somebody agreed to stays as it was. Only its end is recorded, once. The dojo is left to
-- row-level security.
CREATE FUNCTION "keep_autopay_agreement"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  end_columns text[] :=
    array['ended_at', 'ended_by', 'ended_way', 'end_reason', 'end_note', 'dojo_id'];
begin
  if old.ended_at is not null
      or to_jsonb(new) - end_columns is distinct from to_jsonb(old) - end_columns then
    raise exception 'An autopay agreement never changes, except that it ends once';
  end if;
  return new;
end $$;--> statement-breakpoint
CREATE TRIGGER "keep_autopay_agreement" BEFORE UPDATE ON "autopay_agreements" FOR EACH ROW EXECUTE FUNCTION keep_autopay_agreement();
