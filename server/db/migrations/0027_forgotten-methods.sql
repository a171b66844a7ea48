-- After a payer is deleted, Stripe must forget their saved methods.
CREATE FUNCTION "forget_saved_method"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  new.next_check_at := 'epoch';
  return new;
end $$;--> statement-breakpoint
CREATE TRIGGER "forget_saved_method" BEFORE UPDATE OF "payer_id" ON "saved_methods" FOR EACH ROW
  WHEN (old.payer_id IS NOT NULL AND new.payer_id IS NULL) EXECUTE FUNCTION forget_saved_method();
