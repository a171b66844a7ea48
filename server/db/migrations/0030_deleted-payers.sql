CREATE TABLE "stripe_customers" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"customer_id" text NOT NULL,
	"payer_id" uuid,
	"is_live" boolean NOT NULL,
	"next_check_at" timestamp with time zone,
	CONSTRAINT "stripe_customers_dojo_id_customer_id_pk" PRIMARY KEY("dojo_id","customer_id")
);
--> statement-breakpoint
ALTER TABLE "stripe_customers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "stripe_customers" ADD CONSTRAINT "stripe_customers_payer" FOREIGN KEY ("dojo_id","payer_id") REFERENCES "public"."online_payers"("dojo_id","id") ON DELETE SET NULL ("payer_id") ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stripe_customers_of_payer" ON "stripe_customers" USING btree ("dojo_id","payer_id");--> statement-breakpoint
CREATE INDEX "stripe_customers_to_delete" ON "stripe_customers" USING btree ("next_check_at","dojo_id") WHERE next_check_at is not null;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "stripe_customers" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "stripe_customers" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- After a payer is deleted, Stripe must forget them, too.
CREATE FUNCTION "forget_stripe_customer"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  new.next_check_at := 'epoch';
  return new;
end $$;--> statement-breakpoint
CREATE TRIGGER "forget_stripe_customer" BEFORE UPDATE OF "payer_id" ON "stripe_customers"
  FOR EACH ROW WHEN (old.payer_id IS NOT NULL AND new.payer_id IS NULL)
  EXECUTE FUNCTION forget_stripe_customer();
